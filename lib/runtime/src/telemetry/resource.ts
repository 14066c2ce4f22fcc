import { randomUUID } from 'node:crypto';
import { defaultResource, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import manifest from '../../package.json' with { type: 'json' };
import { SCHEMA_URL } from './spans.ts';

/**
 * Attributes of processes that are exported. Detectors also know command lines, users and hosts, and operators could
 * set anything in OTEL_RESOURCE_ATTRIBUTES.
 */
const EXPORTED = [
  /^service\.(name|namespace|version|instance\.id)$/,
  /^deployment\.environment\.name$/,
  /^telemetry\.sdk\.(language|name|version)$/,
  /^k8s\.((cluster|namespace|node|pod|container|deployment|replicaset)\.name|pod\.uid)$/,
  /^cloud\.(provider|platform|region|availability_zone)$/,
];

/** Describes this process to the collector: by OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and the version. */
export function createResource(): Resource {
  const known = {
    ...defaultResource().attributes,
    'service.version': manifest.version,
    'service.instance.id': randomUUID(),
    ...envDetector.detect().attributes,
  };
  const exported = Object.entries(known).filter(([name]) => EXPORTED.some((pattern) => pattern.test(name)));
  return resourceFromAttributes(Object.fromEntries(exported), { schemaUrl: SCHEMA_URL });
}
