/** The next step of a delivery that is to be sent: its first attempt, or a later one. */
export type SendStage = 'fresh' | 'retry';

/** The next step of a delivery; `answers` are added to its body before the first attempt. Stored as `lane`. */
export type Stage = SendStage | 'answers';

export const stages: readonly Stage[] = ['fresh', 'retry', 'answers'];

/** Which webhook of which tenant. */
export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}
