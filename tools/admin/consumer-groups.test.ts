import { serviceNames } from '@survey/local/stack/services';
import { topics } from '@survey/proto/catalog';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { describe, expect, it } from 'vitest';
import { consumerOf, platformTopics, topicsOf } from './consumer-groups.ts';

describe('the topics of a service', () => {
  it('are those that it publishes and consumes, with the dead letters of the latter', () => {
    const shared = [topics.audit, topics.tenant, deadLetterTopic(topics.tenant)];
    expect([...topicsOf('import')].sort()).toEqual([topics.import, ...shared].sort());
    expect([...topicsOf('identity')].sort()).toEqual([deadLetterTopic(topics.audit), ...shared].sort());
    expect(topicsOf('webhook')).toEqual(expect.arrayContaining([topics.survey, deadLetterTopic(topics.survey)]));
  });

  it('are together all topics of the platform', () => {
    expect(new Set(serviceNames.flatMap(topicsOf))).toEqual(new Set(platformTopics));
  });

  it('include the dead letters of each topic for its consumer', () => {
    for (const topic of Object.values(topics)) expect(topicsOf(consumerOf(topic))).toContain(deadLetterTopic(topic));
    expect(consumerOf(topics.response)).toBe('webhook');
  });
});
