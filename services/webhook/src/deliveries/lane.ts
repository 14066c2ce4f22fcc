/** What a delivery waits in: for its first turn, or for a later one. What is new never waits behind what comes again. */
export type Lane = 'fresh' | 'retry';

/** What a delivery waits for: its turn in a lane, or answers, which are to go into its body before. */
export type Stage = Lane | 'answers';

export const stages: readonly Stage[] = ['fresh', 'retry', 'answers'];

/** Where a delivery waits in memory: what is new of webhooks that answered in time last does not wait behind others. */
export type Line = 'prompt' | 'unproven' | 'retry';

export const lineNames: readonly Line[] = ['prompt', 'unproven', 'retry'];

/** Which webhook of which tenant. */
export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}
