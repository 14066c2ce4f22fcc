import { type Backend, topics } from '@survey/proto/catalog';
import type { kafkaSettings } from '@survey/runtime/config/kafka-settings';
import type { Config } from '@survey/runtime/config/settings';
import { countDeadLetters } from '@survey/runtime/kafka/dead-letters';
import { createKafka, retryWhileLoading } from '@survey/runtime/kafka/kafka-client';
import { toKafkaSecurity } from '@survey/runtime/kafka/kafka-security';
import {
  deadLetterTopic,
  inspectTopics,
  type TopicDifference,
  type TopicSpec,
  toTopicSpec,
} from '@survey/runtime/kafka/topics';
import { createLog } from '@survey/runtime/log/create-log';
import { topicsOf } from '../admin/consumer-groups.ts';
import { describeError, type Finding, ok, problem, RUN_SETUP, warning } from './finding.ts';

/** For temporary errors, such as a group coordinator that moves or does not exist yet: 4 s in total. */
const RETRY = { retries: 4, initialRetryTime: 250 } as const;

export type KafkaConfig = Config<typeof kafkaSettings>;

type Kafka = ReturnType<typeof createKafka>;
type Admin = ReturnType<Kafka['admin']>;

/** The settings with which a service connects to Kafka. */
export interface ServiceKafka {
  readonly service: Backend;
  readonly config: KafkaConfig;
}

/** The specs of the topics of these services, as their set-up creates them. */
export function topicSpecsOf(names: readonly Backend[], config: KafkaConfig) {
  const { kafkaTopicPartitions: partitions, kafkaTopicReplication: replication } = config;
  const minInsync = config.kafkaTopicMinInsync ?? Math.max(1, replication - 1);
  return [...new Set(names.flatMap(topicsOf))].map((topic) =>
    toTopicSpec(topic, { partitions, replication, minInsync }),
  );
}

export function createAdminKafka(config: KafkaConfig): Kafka {
  return createKafka({
    brokers: config.kafkaBrokers,
    clientId: 'admin',
    security: toKafkaSecurity(config),
    log: createLog({ service: 'admin', level: 'silent' }),
  });
}

/**
 * Checks the brokers, and the topics and dead letters of the services. Services with the same configuration are checked
 * together.
 */
export async function checkKafka(services: readonly ServiceKafka[]): Promise<Finding[]> {
  const byConfig = Map.groupBy(services, ({ config }) => JSON.stringify(config));
  const checks = [...byConfig.values()].map(async (group) => {
    const [first] = group;
    if (first === undefined) return [];
    return checkCluster(
      group.map(({ service }) => service),
      first.config,
    );
  });
  return (await Promise.all(checks)).flat();
}

async function checkCluster(names: readonly Backend[], config: KafkaConfig): Promise<Finding[]> {
  const subject = `Kafka of ${names.join(', ')}`;
  const kafka = createAdminKafka(config);
  const admin = kafka.admin({ retry: RETRY });
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    return [
      checkBrokers(subject, brokers.length, config.kafkaTopicReplication),
      ...(await checkTopics(subject, { kafka, admin }, topicSpecsOf(names, config))),
    ];
  } catch (error) {
    return [explainFailure(subject, error, config)];
  } finally {
    await admin.disconnect();
  }
}

function checkBrokers(subject: string, count: number, replication: number): Finding {
  const detail = `${count} ${count === 1 ? 'broker' : 'brokers'}`;
  if (count >= replication) return ok(subject, detail);
  const remedy = 'add brokers, or set kafka.topics.replication to their number';
  return problem(subject, `${detail}, but topics need ${replication} replicas`, remedy);
}

async function checkTopics(
  subject: string,
  { kafka, admin }: { readonly kafka: Kafka; readonly admin: Admin },
  specs: readonly TopicSpec[],
): Promise<Finding[]> {
  const { missing, differences } = await inspectTopics(kafka, specs);
  const existing = specs.map(({ topic }) => topic).filter((topic) => !missing.includes(topic));
  const findings = [
    ...(missing.length === 0 ? [] : [problem(subject, `missing topics: ${missing.join(', ')}`, RUN_SETUP)]),
    ...[...Map.groupBy(differences, toKind)].map(([, similar]) => explainDifference(subject, similar)),
    ...(await checkDeadLetters(admin, existing)),
  ];
  return missing.length + differences.length > 0 ? findings : [...findings, ok(subject, 'has all topics')];
}

const toKind = ({ setting, configured, actual }: TopicDifference) => JSON.stringify([setting, configured, actual]);

/** Explains one difference that several topics have. */
function explainDifference(subject: string, differences: readonly TopicDifference[]): Finding {
  const { setting = '', configured = '', actual = '' } = differences[0] ?? {};
  const names = differences.map(({ topic }) => topic).join(', ');
  const detail = `${setting} of ${names} is ${actual}, expected ${configured}`;
  if (setting === 'partitions') {
    const remedy = `set kafka.topics.partitions to ${actual}, or raise partitions as docs/operations.md explains`;
    return warning(subject, detail, remedy);
  }
  if (setting === 'replicas')
    return warning(subject, detail, 'raise the replicas with kafka-reassign-partitions.sh, or events can be lost');
  const remedy = `kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config ${setting}=${configured}`;
  return problem(subject, detail, remedy);
}

async function checkDeadLetters(admin: Admin, existing: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const topic of Object.values(topics)) {
    if (!existing.includes(deadLetterTopic(topic))) continue;
    const waiting = await retryWhileLoading(() => countDeadLetters(admin, topic));
    const remedy = `find the cause with "dead-letters list --topic ${topic}", then use "dead-letters replay"`;
    if (waiting > 0) findings.push(warning(`dead letters of ${topic}`, `${waiting} not replayed`, remedy));
  }
  return findings;
}

function explainFailure(subject: string, error: unknown, { kafkaTls, kafkaSaslMechanism }: KafkaConfig): Finding {
  const reason = describeError(error);
  const detail = `cannot be reached: ${reason}`;
  if (/SASL|authentication|credentials/i.test(reason)) {
    const remedy = 'correct kafka.sasl: mechanism, username and the password in its Secret';
    return problem(subject, `rejects the user: ${reason}`, remedy);
  }
  if (/not authorized|authorization/i.test(reason))
    return problem(subject, `rejects a request: ${reason}`, 'give its user the ACLs of docs/operations.md');
  if (/certificate|SSL|TLS|self.signed|EPROTO|handshake/i.test(reason)) {
    const remedy = 'check kafka.tls: whether the listener uses TLS, ca.crt, and the host names of the certificate';
    return problem(subject, detail, remedy);
  }
  const secured = kafkaTls || kafkaSaslMechanism !== 'none';
  // A listener with TLS or SASL closes connections that do not begin with it.
  const hint = secured ? '' : '. If its listener needs TLS or SASL, set kafka.tls and kafka.sasl';
  const remedy = `check kafka.brokers, that the brokers run, their advertised.listeners, DNS and NetworkPolicies${hint}`;
  return problem(subject, detail, remedy);
}
