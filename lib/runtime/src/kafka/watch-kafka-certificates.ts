import type { Logger } from 'pino';
import { followFiles } from '../config/follow-files.ts';
import { expiriesOf } from '../crypto/parse-certificates.ts';
import type { WatchSecret } from '../telemetry/secret-metrics.ts';
import type { KafkaSecurityConfig } from './kafka-security.ts';

/**
 * Exports the expiry of the certificates for Kafka as metrics of the secret `kafka_tls`, and follows the files.
 * Connections read the files themselves. Rejects if a file is unusable.
 */
export async function watchKafkaCertificates(
  config: Pick<KafkaSecurityConfig, 'kafkaTls' | 'kafkaTlsCaFile' | 'kafkaTlsCertFile'>,
  log: Logger,
  watchSecret: WatchSecret,
): Promise<void> {
  const named = Object.entries({ 'ca.crt': config.kafkaTlsCaFile, 'tls.crt': config.kafkaTlsCertFile });
  const files = named.flatMap(([key, file]) => (file === undefined ? [] : [{ key, file }]));
  if (!config.kafkaTls || files.length === 0) return;
  const watch = watchSecret('kafka_tls');
  await followFiles({
    files: files.map(({ file }) => file),
    load: (contents) =>
      watch.setExpiries(
        Object.assign({}, ...contents.map((content, index) => expiriesOf(files[index]?.key ?? '', content.toString()))),
      ),
    log,
    watch,
  });
}
