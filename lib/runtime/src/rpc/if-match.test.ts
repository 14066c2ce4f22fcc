import { SurveyService } from '@survey/proto/survey/surveys/v1/survey_service_pb';
import { describe, expect, it } from 'vitest';
import { createTestContext } from '../testing/rpc/test-context.ts';
import { checkIfMatch, readIfMatch, setEtag } from './if-match.ts';

function contextOf(ifMatch?: string) {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return createTestContext(SurveyService.method.updateSurvey, { headers });
}

describe('setEtag', () => {
  it('sets a strong entity tag that If-Match accepts', () => {
    const context = contextOf();
    setEtag(context, 7);
    const etag = context.responseHeader.get('etag') ?? '';
    expect(etag).toBe('"7"');
    expect(readIfMatch(contextOf(etag))?.includes(7)).toBe(true);
  });
});

describe('readIfMatch', () => {
  it('is undefined without the header', () => {
    expect(readIfMatch(contextOf())).toBeUndefined();
  });

  it.each([
    ['"3"', true],
    ['*', true],
    [' * ', true],
    ['"2", "3"', true],
    ['"2","3"', true],
    ['"2" ,\t"3"', true],
    ['"2"', false],
    ['"33"', false],
    ['"03"', false],
    ['""', false],
    // Proxies that compress replies weaken their tags.
    ['W/"3"', true],
    ['W/"2"', false],
    ['W/"3", "3"', true],
    ['"*"', false],
  ])('reads from %s whether it contains revision 3: %s', (header, expected) => {
    expect(readIfMatch(contextOf(header))?.includes(3)).toBe(expected);
  });

  it.each(['3', '"3', '3"', '"3" "4"', '"3",', ',"3"', '*, "3"', '"3", *', 'w/"3"', '', "'3'", '"a b"', '"é"'])(
    'rejects %j',
    (header) => {
      expect(() => readIfMatch(contextOf(header))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    },
  );

  it('reads a long header in linear time', () => {
    const tags = Array.from({ length: 2_000 }, (_, revision) => `"${revision}"`).join(', ');
    expect(readIfMatch(contextOf(tags))?.includes(1_999)).toBe(true);
    expect(() => readIfMatch(contextOf(`${tags},`))).toThrow();
  });
});

describe('checkIfMatch', () => {
  it('accepts a seen revision, and callers without the header', () => {
    expect(() => checkIfMatch(undefined, 3)).not.toThrow();
    expect(() => checkIfMatch(readIfMatch(contextOf('"3"')), 3)).not.toThrow();
  });

  it('rejects another revision', () => {
    const rejection = expect.objectContaining({ code: 'PRECONDITION_FAILED', status: 412 });
    expect(() => checkIfMatch(readIfMatch(contextOf('"3"')), 4)).toThrow(rejection);
  });
});
