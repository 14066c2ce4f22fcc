import type { Logger } from 'pino';
import { followFiles } from '../config/follow-files.ts';
import { expiriesOf } from '../crypto/parse-certificates.ts';
import type { WatchSecret } from '../telemetry/secret-metrics.ts';
import { type KafkaSecurityConfig, kafkaTlsFiles, toSecureContext } from './kafka-security.ts';

/**
 * Exports the expiry of the certificates for Kafka as metrics of the secret `kafka_tls`, and whether the files are
 * usable. Connections read the files themselves. Rejects if a file is unusable.
 */
export async function watchKafkaCertificates(
  config: Pick<KafkaSecurityConfig, 'kafkaTls' | 'kafkaTlsCaFile' | 'kafkaTlsCertFile' | 'kafkaTlsKeyFile'>,
  log: Logger,
  watchSecret: WatchSecret,
): Promise<void> {
  const files = kafkaTlsFiles(config);
  if (!config.kafkaTls || files.length === 0) return;
  const watch = watchSecret('kafka_tls');
  await followFiles({
    files: files.map(([, path]) => path),
    load(buffers) {
      const contents = buffers.map((content, index) => [files[index]?.[0] ?? '', content] as const);
      toSecureContext(Object.fromEntries(contents));
      const certificates = contents.filter(([name]) => name.endsWith('.crt'));
      watch.setExpiries(
        Object.assign({}, ...certificates.map(([name, content]) => expiriesOf(name, content.toString()))),
      );
    },
    log,
    watch,
  });
}
