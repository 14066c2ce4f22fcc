import type { JWK } from 'jose';
import { reloadable } from './follow-files.ts';
import { kafkaSettings } from './kafka-settings.ts';
import { choice, flag, integer, json, optionalText, port, text } from './kinds.ts';

export const processSettings = {
  host: text({ env: 'HOST', fallback: '0.0.0.0', help: 'Address to listen on.' }),
  adminPort: port({ env: 'ADMIN_PORT', fallback: '9464', help: 'Port of /livez, /readyz and /metrics.' }),
  logLevel: choice({
    env: 'LOG_LEVEL',
    fallback: 'info',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    help: 'Minimum level of log lines.',
  }),
  drainMs: integer({
    env: 'DRAIN_MS',
    fallback: '0',
    min: 0,
    max: 600_000,
    help: 'Time to serve after SIGTERM while reporting not ready, so that load balancers notice. Milliseconds.',
  }),
  stopMs: integer({
    env: 'STOP_MS',
    fallback: '25000',
    min: 100,
    max: 600_000,
    help: 'Time to stop after DRAIN_MS. Running calls are aborted after 60 % of it, and the process exits at its end. Milliseconds.',
  }),
  internalKey: reloadable(
    json<JWK>({
      env: 'INTERNAL_KEY',
      secret: true,
      help: 'Ed25519 private key (JWK with kid) that signs the tokens of calls to other services. A member exp (Unix seconds) is for an alert only. The file is reloaded when it changes. Before that, add the public key to INTERNAL_JWKS_FILE of all services.',
    }),
  ),
  tlsDir: optionalText({
    env: 'TLS_DIR',
    help: 'Folder with tls.crt, tls.key and ca.crt. Turns on mutual TLS for gRPC and REST between processes: both sides need a certificate of this CA for their host name. Files are reloaded when they change.',
  }),
};

/** Setting of processes that measure tenants. */
export const metricsMaxSeries = integer({
  env: 'METRICS_MAX_SERIES',
  fallback: '20000',
  min: 1_000,
  max: 1_000_000,
  help: 'Maximum number of time series with a tenant_id. In the gateway, the busiest tenants get their own, in other processes the first ones. All others share the tenant_id other.',
});

export const serviceSettings = {
  ...processSettings,
  httpPort: port({ env: 'HTTP_PORT', fallback: '8080', help: 'Port of the REST API.' }),
  grpcPort: port({ env: 'GRPC_PORT', fallback: '9090', help: 'Port of gRPC.' }),
  internalJwksFile: text({
    env: 'INTERNAL_JWKS_FILE',
    help: 'JWKS with the public keys of all callers; each has the members caller and may_call. Reloaded when it changes.',
  }),
  mongodbUri: text({ env: 'MONGODB_URI', secret: true, help: 'Connection string of the replica set or cluster.' }),
  mongodbSelectionTimeoutMs: integer({
    env: 'MONGODB_SELECTION_TIMEOUT_MS',
    fallback: '5000',
    min: 500,
    max: 60_000,
    help: 'Timeout for finding a primary of MongoDB, and for getting a free connection. Milliseconds.',
  }),
  ...kafkaSettings,
  leaseMs: integer({
    env: 'LEASE_MS',
    fallback: '10000',
    min: 500,
    max: 600_000,
    help: 'Duration of leases for work that one replica does for all, such as publishing events. If that replica is killed, another one takes over after this time. Milliseconds.',
  }),
  tenantErasureSettleSeconds: integer({
    env: 'TENANT_ERASURE_SETTLE_SECONDS',
    fallback: '900',
    min: 1,
    max: 86_400,
    help: 'Time until a service erases a deleted tenant a second time, in seconds. Calls that were accepted late may have added data: while identity is down, the gateway still accepts calls of the tenant for 11 minutes.',
  }),
  setupOnStart: flag({
    env: 'SETUP_ON_START',
    fallback: 'false',
    help: 'Create indexes and topics before serving. On a cluster, a Job runs the command `setup` instead.',
  }),
};
