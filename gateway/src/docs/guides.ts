import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type GuideSource, guideList, sampleFiles } from './guide-list.ts';
import { pickSections, type RenderedMarkdown, renderMarkdown } from './markdown.ts';

export interface Guide extends GuideSource {
  /** Its address in the documentation. */
  readonly path: string;
  readonly markdown: string;
}

const repository = join(import.meta.dirname, '../../..');
/** Addresses of guides and samples in the documentation, by their file in the repository. */
const addresses = new Map([
  ...guideList.map(({ name, file }) => [file, toGuidePath(name)] as const),
  ...sampleFiles.map((file) => [file, toSamplePath(file)] as const),
]);

/** Reads all guides. */
export function loadGuides(): readonly Guide[] {
  return guideList.map((source) => {
    const text = readText(source.file);
    const markdown = source.sections === undefined ? text : pickSections(text, source.title, source.sections);
    return { ...source, markdown, path: toGuidePath(source.name) };
  });
}

export function renderGuide({ markdown, file }: Pick<Guide, 'markdown' | 'file'>): RenderedMarkdown {
  return renderMarkdown(markdown, (target) => resolveLink(target, file));
}

/** Reads the sample files that guides link to. */
export function loadSamples(): readonly { readonly path: string; readonly text: string }[] {
  return sampleFiles.map((file) => ({ path: toSamplePath(file), text: readText(file) }));
}

/** Converts the link of a guide, which is relative to its file, to an address. Undefined if the target is no page. */
function resolveLink(target: string, from: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  const address = addresses.get(posix.join(posix.dirname(from), path));
  return address && (fragment === undefined ? address : `${address}#${fragment}`);
}

function toGuidePath(name: string): string {
  return `/docs/guides/${name}`;
}

function toSamplePath(file: string): string {
  return `/docs/samples/${posix.basename(file)}`;
}

function readText(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}
