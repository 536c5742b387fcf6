// What is wrong with the page as it is laid out: a list of sentences, empty where all is well.
() => {
  const faults = [];
  const name = (element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ` +
    `"${element.textContent.trim().slice(0, 40)}"`;
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`the page is ${root.scrollWidth} wide on a screen of ${root.clientWidth}`);
  }
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const scroller = (element) => {
    while (element && !scrolls(element)) element = element.parentElement;
    return element;
  };
  const seen = (element) => element.checkVisibility({ contentVisibilityAuto: true });
  for (const element of document.querySelectorAll("body *")) {
    if (!seen(element)) continue;
    const box = element.getBoundingClientRect();
    if ((box.right > root.clientWidth + 1 || box.left < -1) && !scroller(element)) {
      faults.push(`${name(element)} ends at ${box.right} of ${root.clientWidth}`);
    }
    if (scrolls(element)) {
      if (element.scrollWidth > element.clientWidth && element.tabIndex < 0) {
        faults.push(`${name(element)} scrolls and cannot be reached by the keyboard`);
      }
      if (element.scrollHeight > element.clientHeight + 1) {
        faults.push(`${name(element)} is cut off below, ${element.scrollHeight} in ${element.clientHeight}`);
      }
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !seen(element) || element.closest("style, svg")) continue;
    // As in print, the script of a script is half as high as the text.
    const least = element.closest("math") ? 9 : 11;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < least) faults.push(`${name(element)} is ${size} px high`);
  }
  for (const svg of document.querySelectorAll("svg")) {
    const labels = [...svg.querySelectorAll("text")].filter((label) => label.textContent.trim());
    const scale = svg.getScreenCTM().a;
    const boxes = labels.map((label) => label.getBoundingClientRect());
    const frame = svg.getBoundingClientRect();
    labels.forEach((label, i) => {
      const size = parseFloat(getComputedStyle(label).fontSize) * scale;
      if (size < 10.4) faults.push(`the label ${name(label)} is ${size} px high`);
      const box = boxes[i];
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        faults.push(`the label ${name(label)} leaves its figure`);
      }
      for (let k = 0; k < i; k++) {
        const wide = Math.min(box.right, boxes[k].right) - Math.max(box.left, boxes[k].left);
        const high = Math.min(box.bottom, boxes[k].bottom) - Math.max(box.top, boxes[k].top);
        // A box holds the room above and below its letters: only letters that touch count.
        if (wide > 1 && high > 0.35 * Math.min(box.height, boxes[k].height)) {
          faults.push(`the labels ${name(label)} and ${name(labels[k])} collide`);
        }
      }
    });
  }
  for (const table of document.querySelectorAll("mtable")) {
    if (!seen(table)) continue;
    for (const bracket of [table.previousElementSibling, table.nextElementSibling]) {
      const high = bracket.getBoundingClientRect().height;
      if (high < 0.9 * table.getBoundingClientRect().height) {
        faults.push(`a bracket of the matrix ${name(table)} is ${high} px high`);
      }
    }
  }
  return faults;
}
