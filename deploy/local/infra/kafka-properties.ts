interface KafkaAddresses {
  /** Address to bind: 127.0.0.1, or 0.0.0.0 inside a container. */
  readonly bind: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly logDir: string;
}

/** Settings of a single-node cluster: broker and controller in one process, one replica of everything. */
export function toKafkaProperties({ bind, port, controllerPort, logDir }: KafkaAddresses): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://${bind}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': logDir,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '8',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    // Tests kill consumers, and wait until their sessions expire.
    'group.min.session.timeout.ms': '1000',
    // After a crash, the broker can register again only when its old session has expired. Default: 9 s.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
  };
}
