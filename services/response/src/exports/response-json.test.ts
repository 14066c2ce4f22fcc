import { create } from '@bufbuild/protobuf';
import { ResponseSchema } from '@survey/proto/survey/responses/v1/response_pb';
import { messageToJson } from '@survey/runtime/rest/json-output';
import { describe, expect, it } from 'vitest';
import { toResponseMessage } from '../response-mapper.ts';
import type { Response, ResponseText } from '../responses/response.ts';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { writeJson, writeNdjson } from './export-service.ts';

const definition = newDefinition([]);
const responses = [
  newResponse(definition, {
    startedAt: new Date('2024-05-01T09:00:00.120Z'),
    language: 'de',
    linkId: 'link',
    externalId: 'x',
    data: JSON.parse('{"q": [1, "ü\\n\u2028"], "__proto__": {"r": "c"}}'),
    metadata: { n: null },
  }),
  newResponse(definition, { status: 'in_progress', completedAt: undefined }),
];
const shown = responses.map((response) =>
  messageToJson(ResponseSchema, create(ResponseSchema, toResponseMessage(response))),
);

async function write(format: typeof writeJson, chunks: readonly (readonly Response[])[]): Promise<string> {
  async function* texts() {
    for (const chunk of chunks) yield chunk.map(toText);
  }
  return (await Array.fromAsync(format(texts()))).join('');
}

function toText({ data, metadata, ...head }: Response): ResponseText {
  return { ...head, data: JSON.stringify(data), metadata: metadata && JSON.stringify(metadata) };
}

describe('responses as JSON', () => {
  it('are an array in the form of the API', async () => {
    const text = await write(writeJson, [[], responses.slice(0, 1), [], responses.slice(1)]);
    expect(JSON.parse(text)).toEqual(shown);
  });

  it('are an empty array if there are none', async () => {
    expect(JSON.parse(await write(writeJson, []))).toEqual([]);
  });

  it('are lines in the form of the API', async () => {
    const lines = (await write(writeNdjson, [responses])).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(shown);
  });
});
