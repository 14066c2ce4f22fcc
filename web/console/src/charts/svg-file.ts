import { cleanLabel, wrapLabel } from './label.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const PAINTS = ['fill', 'stroke', 'color'];
const TITLE_HEIGHT = 34;
const PADDING = 12;

/**
 * Makes a file of a drawing that can be used outside of the console: with a title, a background, and colors in place of
 * CSS variables.
 *
 * @param svg changed by this function
 * @returns XML
 */
export function toSvgFile(svg: SVGElement, title: string): string {
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
  const titleElement = create('title', {});
  titleElement.textContent = cleanLabel(title);
  svg.prepend(titleElement, background, heading);
  const elements = [svg, ...svg.querySelectorAll('*')];
  const paints = elements.flatMap((element) =>
    PAINTS.flatMap((name) => {
      const value = element.getAttribute(name);
      return value?.startsWith('var(') || value === 'currentColor' ? [{ element, name, value }] : [];
    }),
  );
  const colors = resolveColors(new Set(paints.map(({ value }) => value)));
  for (const { element, name, value } of paints) element.setAttribute(name, colors.get(value) ?? value);
  for (const text of svg.querySelectorAll('text')) text.setAttribute('xml:space', 'preserve');
  return new XMLSerializer().serializeToString(svg);
}

function create(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Returns the values of CSS variables in the light scheme, because the files are for documents. */
function resolveColors(colors: ReadonlySet<string>): ReadonlyMap<string, string> {
  const root = document.documentElement;
  const probe = document.createElement('span');
  document.body.append(probe);
  // The browser does not paint this: the scheme is set back before the function ends.
  root.dataset.scheme = 'light';
  const found = [...colors].map((color) => {
    probe.style.color = color === 'currentColor' ? 'var(--ink)' : color;
    return [color, getComputedStyle(probe).color] as const;
  });
  delete root.dataset.scheme;
  probe.remove();
  return new Map(found);
}
