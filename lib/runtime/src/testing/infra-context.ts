/** Values that the global setup of integration tests provides for `inject` of vitest. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of a replica set. */
    mongodbUri: string;
    /** Bootstrap servers, separated by commas. */
    kafkaBrokers: string;
  }
}

export type {};
