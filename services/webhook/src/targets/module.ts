import type { WebhookConfig } from '../config.ts';
import { createAddressRules } from './address-rules.ts';
import { createNameLookup, shareLookups } from './name-lookup.ts';
import { createTargetCheck } from './target.ts';

export type TargetApi = ReturnType<typeof createTargetModule>['api'];

/** Decides which addresses webhooks may go to. */
export function createTargetModule(config: WebhookConfig) {
  const isAllowed = createAddressRules({ allowed: config.allowedRanges, rejected: config.rejectedRanges });
  const loadAddresses = shareLookups(createNameLookup({ servers: config.dnsServers }));
  return { api: { isAllowed, checkTarget: createTargetCheck({ urlRules: config, isAllowed, loadAddresses }) } };
}
