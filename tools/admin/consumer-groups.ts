import { serviceNames } from '@survey/local/stack/services';
import { type Backend, topics } from '@survey/proto/catalog';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import { type Installation, isUnknownVariable } from './installation.ts';

interface ConsumerGroup {
  readonly groupId: string;
  readonly topics: readonly string[];
}

/**
 * Topics of the consumers of each service, by name of the consumer. All services have the shared consumers. An
 * end-to-end test compares them with the groups of a running stack.
 */
const SHARED_CONSUMERS = { tenants: [topics.tenant] };
const OWN_CONSUMERS: Readonly<Partial<Record<Backend, Readonly<Record<string, readonly string[]>>>>> = {
  identity: { audit: [topics.audit] },
  webhook: { events: [topics.survey, topics.response, topics.import, topics.webhook] },
};

/** All topics of the platform. A shared Kafka also has others. */
export const platformTopics: readonly string[] = Object.values(topics).flatMap((topic) => [
  topic,
  deadLetterTopic(topic),
]);

/** Topics of the events that each service publishes, besides the audit log. */
const PUBLISHED: Readonly<Record<Backend, string>> = {
  identity: topics.tenant,
  survey: topics.survey,
  response: topics.response,
  import: topics.import,
  webhook: topics.webhook,
};

/** The topics that a service uses, and its set-up creates. Its credentials may be limited to them. */
export function topicsOf(service: Backend): readonly string[] {
  const consumed = Object.values({ ...SHARED_CONSUMERS, ...OWN_CONSUMERS[service] }).flat();
  const all = [PUBLISHED[service], topics.audit, ...consumed.flatMap((topic) => [topic, deadLetterTopic(topic)])];
  return [...new Set(all)];
}

/** A service that consumes a topic, and so may read its dead letters. */
export function consumerOf(topic: string): Backend {
  const consumes = (name: Backend) => Object.values(OWN_CONSUMERS[name] ?? {}).some((names) => names.includes(topic));
  return serviceNames.find(consumes) ?? 'identity';
}

/**
 * The consumer groups of an installation. Their names contain the names of its databases; without an installation, the
 * default names. Throws like `databaseOf`.
 */
export function consumerGroupsOf(installation: Pick<Installation, 'processes'> | undefined): readonly ConsumerGroup[] {
  return serviceNames.flatMap((name) =>
    Object.entries({ ...SHARED_CONSUMERS, ...OWN_CONSUMERS[name] }).map(([consumer, consumed]) => ({
      groupId: `${name}.${databaseOf(name, installation)}.${consumer}`,
      topics: consumed,
    })),
  );
}

/** Name of the database of a service. Throws if only the service knows it. */
export function databaseOf(name: Backend, installation: Pick<Installation, 'processes'> | undefined): string {
  const service = installation?.processes[name];
  if (service !== undefined && isUnknownVariable('MONGODB_DATABASE', service))
    throw new Error(
      `the database of ${name} is not known here: set MONGODB_DATABASE as text in the values of the chart`,
    );
  return service?.env['MONGODB_DATABASE'] || `survey-${name}`;
}
