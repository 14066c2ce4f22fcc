/** What the global set-up of the integration tests provides, for `inject` of vitest. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of a replica set. */
    mongodbUri: string;
    /** Bootstrap servers, with commas between them. */
    kafkaBrokers: string;
  }
}

export type {};
