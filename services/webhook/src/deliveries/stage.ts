/** The next attempt of a delivery: the first one, or a later one. */
export type SendStage = 'fresh' | 'retry';

/** The next step of a delivery. `answers`: add answers to its body before the first attempt. Stored as `lane`. */
export type Stage = SendStage | 'answers';

/** Their due deliveries are the backlog. */
export const stages: readonly Stage[] = ['fresh', 'retry', 'answers'];

export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}
