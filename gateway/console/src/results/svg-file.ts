import { cleanLabel, wrapLabel } from './label.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const PAINTS = ['fill', 'stroke', 'color'];
const TITLE_HEIGHT = 34;
const PADDING = 12;

/**
 * Makes a file of a drawing that needs nothing else: it has its title, a background, and colors in place of tokens.
 *
 * @param svg changed by this function
 * @returns XML
 */
export function toSvgFile(svg: SVGElement, title: string): string {
  const resolve = createColorResolver();
  const width = Number(svg.getAttribute('width'));
  const height = Number(svg.getAttribute('height'));
  const size = { width: width + 2 * PADDING, height: height + TITLE_HEIGHT + 2 * PADDING };
  svg.setAttribute('width', String(size.width));
  svg.setAttribute('height', String(size.height));
  svg.setAttribute('viewBox', `${-PADDING} ${-PADDING - TITLE_HEIGHT} ${size.width} ${size.height}`);
  const background = create('rect', { x: -PADDING, y: -PADDING - TITLE_HEIGHT, ...size, fill: 'var(--surface)' });
  const heading = create('text', {
    x: 0,
    y: -TITLE_HEIGHT + 18,
    'font-size': 16,
    'font-weight': 600,
    'text-anchor': 'start',
    fill: 'var(--ink)',
  });
  heading.textContent = wrapLabel(title, Math.floor(width / 9), 1).join('');
  const name = create('title', {});
  name.textContent = cleanLabel(title);
  svg.prepend(name, background, heading);
  for (const element of [svg, ...svg.querySelectorAll('*')]) {
    for (const paint of PAINTS) {
      const value = element.getAttribute(paint);
      if (value?.startsWith('var(') || value === 'currentColor') element.setAttribute(paint, resolve(value));
    }
    if (element.localName === 'text') element.setAttribute('xml:space', 'preserve');
  }
  return new XMLSerializer().serializeToString(svg);
}

function create(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Returns a function that finds the value of a token. Files have light colors: they are for documents. */
function createColorResolver(): (color: string) => string {
  const found = new Map<string, string>();
  return (color) => {
    const known = found.get(color);
    if (known !== undefined) return known;
    const probe = document.createElement('span');
    probe.style.colorScheme = 'light';
    probe.style.color = color === 'currentColor' ? 'var(--ink)' : color;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    found.set(color, value);
    return value;
  };
}
