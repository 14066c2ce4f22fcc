/** Values that the global setup of integration tests provides for `inject` of vitest. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of a replica set. */
    mongodbUri: string;
    /** Bootstrap servers, separated by commas. */
    kafkaBrokers: string;
    /** Undefined if Kafka runs in a container. */
    securedKafka: SecuredListeners | undefined;
  }
}

/** Listeners of the same brokers, with the certificate `first`. */
export interface SecuredListeners {
  readonly sasl: string;
  /** Listener with mutual TLS. Clients need a certificate of the same CA. */
  readonly mutualTls: string;
}
