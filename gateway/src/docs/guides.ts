import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fillTables } from '@survey/questionnaire/docs/definitions-page';
import { lintCodesPage } from '@survey/questionnaire/docs/lint-codes-page';
import { errorAdvice } from '@survey/runtime/errors/error-advice';
import { type ErrorCode, errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES, OPERATION_CODES } from '@survey/runtime/errors/field-codes';
import { root } from '../root.ts';
import { pickSections, type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { describeSharedResources } from './shared-resources.ts';

/** A page of the documentation, made of a Markdown file of the repository, or generated from code. */
interface GuideSource {
  /** Last part of the path. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The Markdown file. For a generated page, the code: files that link to it link to the page here. */
  readonly file: string;
  readonly generate?: () => string;
  /** Headings of the sections to show; the whole file by default. */
  readonly sections?: readonly string[];
}

/** The guides, in the order of the navigation. */
const guideList: readonly GuideSource[] = [
  {
    name: 'quick-start',
    title: 'Quick start',
    summary: 'Run the platform, create a survey, submit a response and see its webhook.',
    file: 'README.md',
    sections: ['Two commands', 'Five minutes'],
  },
  {
    name: 'console',
    title: 'Web console',
    summary: 'Create, publish and share surveys in the browser, and see their responses.',
    file: 'docs/console.md',
  },
  {
    name: 'api',
    title: 'API concepts',
    summary: 'Tokens, pagination, idempotency, updates, limits and errors.',
    file: 'docs/api.md',
  },
  {
    name: 'errors',
    title: 'Error codes',
    summary: 'The codes of errors and of invalid fields, with advice.',
    file: 'lib/runtime/src/errors/error-codes.ts',
    generate: describeErrors,
  },
  {
    name: 'definitions',
    title: 'Survey definitions',
    summary: 'Questions, options, logic, translations and settings, and what their answers look like.',
    file: 'docs/definitions.md',
    generate: () => fillTables(readText('docs/definitions.md')),
  },
  {
    name: 'lint-codes',
    title: 'Lint codes',
    summary: 'Errors and warnings that a survey definition can have.',
    file: 'lib/questionnaire/src/lint/lint-codes.ts',
    generate: lintCodesPage,
  },
  {
    name: 'renderers',
    title: 'Pages for respondents',
    summary: 'Use the page for respondents, or build your own: saving, retries, links, files, errors.',
    file: 'docs/renderers.md',
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    summary: 'Receive signed events: verification, retries, ordering, rotation of secrets.',
    file: 'docs/webhooks.md',
  },
  {
    name: 'webhook-corner-cases',
    title: 'Webhook edge cases',
    summary: 'Delivery of webhooks in difficult situations.',
    file: 'docs/webhook-corner-cases.md',
  },
  {
    name: 'exports',
    title: 'Exports',
    summary: 'Responses as CSV, XLSX, NDJSON and JSON, with a codebook.',
    file: 'docs/exports.md',
  },
  {
    name: 'keep-a-copy',
    title: 'Keep a copy of responses',
    summary: 'Follow the change feed of a survey into a database of your own.',
    file: 'docs/keep-a-copy.md',
  },
  {
    name: 'shared-resources',
    title: 'Capacity of a process',
    summary: 'What one tenant, client and survey can hold of the resources that callers share.',
    file: 'gateway/src/docs/shared-resources.ts',
    generate: describeSharedResources,
  },
  {
    name: 'import',
    title: 'Imports',
    summary: 'Import surveys and responses from other tools and from spreadsheets.',
    file: 'docs/import.md',
  },
  {
    name: 'glossary',
    title: 'Glossary',
    summary: 'The terms of the API, the code and the documents.',
    file: 'docs/glossary.md',
  },
];

/** Paths in the repository of the files that guides link to. */
const sampleFiles: readonly string[] = ['receiver.mjs', 'receiver.py', 'receiver.go', 'renderer.js', 'verify.sh'].map(
  (name) => `docs/samples/${name}`,
);

export interface Guide extends GuideSource {
  readonly path: string;
  /** Reads or generates the Markdown. */
  readonly load: () => string;
}

/** Addresses of guides and samples in the documentation, by their file in the repository. */
const addresses = new Map([
  ...guideList.map(({ name, file }) => [file, toGuidePath(name)] as const),
  ['lib/runtime/src/errors/field-codes.ts', `${toGuidePath('errors')}#codes-of-fields`],
  ...sampleFiles.map((file) => [file, toSamplePath(file)] as const),
]);

export function loadGuides(): readonly Guide[] {
  return guideList.map((source) => ({ ...source, path: toGuidePath(source.name), load: () => loadMarkdown(source) }));
}

function loadMarkdown({ title, file, generate, sections }: GuideSource): string {
  const text = generate?.() ?? readText(file);
  return sections === undefined ? text : pickSections(text, title, sections);
}

function describeErrors(): string {
  const errors = Object.entries(errorCodes)
    // The client of a cancelled call gets no reply.
    .filter(([code]) => code !== 'CANCELLED')
    .map(
      ([code, { status, detail }]) => `| ${status} | \`${code}\` | ${detail} | ${errorAdvice[code as ErrorCode]} |\n`,
    );
  const fields = Object.entries(FIELD_CODES).map(
    ([code, { meaning, advice }]) => `| \`${code}\` | ${meaning} | ${advice} |\n`,
  );
  const ofOperations = Object.entries(OPERATION_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |\n`);
  return `# Error codes

An error has one of these values of \`code\`. For the other members of its body, see [API concepts](../../../../docs/api.md#errors).

| status | code | \`detail\` by default | what to do |
|---|---|---|---|
${errors.join('')}
## Codes of fields

Each entry of \`errors\` has a \`code\`, too. All operations share these.

| code | meaning | what to do |
|---|---|---|
${fields.join('')}
Single operations have further codes. See also those of [answers and definitions](../../../../docs/definitions.md), and of [imports](../../../../docs/import.md).

| code | meaning |
|---|---|
${ofOperations.join('')}`;
}

/**
 * @param markdown text of a page
 * @param file to which its links are relative
 */
export function renderGuide(markdown: string, file: string): RenderedMarkdown {
  return renderMarkdown(markdown, (target) => resolveLink(target, file));
}

export function loadSamples(): readonly { readonly path: string; readonly text: string }[] {
  return sampleFiles.map((file) => ({ path: toSamplePath(file), text: readText(file) }));
}

/** Converts a link, which is relative to the file of its guide, to an address. Undefined if the target is no page. */
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
  return readFileSync(join(root, file), 'utf8');
}
