"""The property suite: strategies, properties, adapters and reports for any attention."""
