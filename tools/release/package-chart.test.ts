import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withLinks } from './package-chart.ts';
import { repositoryUrl } from './repository-url.ts';

describe('the Chart.yaml of a release', () => {
  const chart = 'name: survey\n';

  it('links to the repository whose workflow publishes it', () => {
    const url = repositoryUrl({ GITHUB_SERVER_URL: 'https://example.org', GITHUB_REPOSITORY: 'owner/name' });
    expect(parse(withLinks(chart, url))).toEqual({
      name: 'survey',
      home: 'https://example.org/owner/name',
      sources: ['https://example.org/owner/name'],
    });
  });

  it('has no links on other machines', () => {
    expect(withLinks(chart, repositoryUrl({}))).toBe(chart);
  });
});
