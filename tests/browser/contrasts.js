// Returns the contrast of every visible text of the open episode with what lies behind it.
(() => {
  const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const numbers = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = numbers(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  return [...document.querySelectorAll("#episode *")].filter((node) => node.checkVisibility() && hasText(node)).map((node) => {
    const [more, less] = [light(numbers(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a);
    return (more + 0.05) / (less + 0.05);
  });
})()
