import { describe, expect, it } from 'vitest';
import { parseQuery } from './promql.ts';

describe('parseQuery', () => {
  it('finds metrics, label matchers and groupings', () => {
    expect(
      parseQuery(
        'sum by (job, le) (rate(a_bucket{code=~"x|y", use!="z"}[$__rate_interval])) / on (job) group_left () b:c unless absent(up{job="g"})',
      ),
    ).toEqual({
      selectors: [
        {
          name: 'a_bucket',
          matchers: [
            { label: 'code', operator: '=~', value: 'x|y' },
            { label: 'use', operator: '!=', value: 'z' },
          ],
        },
        { name: 'b:c', matchers: [] },
        { name: 'up', matchers: [{ label: 'job', operator: '=', value: 'g' }] },
      ],
      groupings: ['job', 'le', 'job'],
    });
  });

  it.each(['sum by (job', 'rate(a[5m]', 'a{b="c"', '', 'a b'])('rejects %s', (text) => {
    expect(() => parseQuery(text)).toThrow('cannot be read');
  });
});
