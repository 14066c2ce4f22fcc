import type { Guide } from './guides.ts';

/** The contents of the documentation for language models: https://llmstxt.org */
export function toLlmsText(guides: readonly Guide[]): string {
  const items = guides.map(({ title, path, summary }) => `- [${title}](${path}.md): ${summary}`);
  return `# Survey platform

> An HTTP API to define surveys, collect and read responses, and get signed webhooks for every event.

Send \`Authorization: Bearer …\` with a token or an API key. Operations below \`/v1/public\` need none.

## API

- [OpenAPI document](/openapi.json): every operation with its parameters, examples and errors, as OpenAPI 3.1.
- [OpenAPI document as YAML](/openapi.yaml): the same.
- [JSON Schema of survey definitions](/schemas/definition-1.0.json): what a survey can contain.

## Guides

${items.join('\n')}
`;
}
