// For `node --import`: enables tracing and the export of logs before the process loads its own modules.
import { isLogExportWanted, isTracingWanted } from './wanted-signals.ts';

const isTraced = isTracingWanted(process.env);
if (isTraced || isLogExportWanted(process.env)) {
  // Import these modules only if they are needed. Create the hooks first, because the SDK loads modules that are to be
  // instrumented.
  const instrumentations = isTraced ? (await import('./instrumentations.ts')).createInstrumentations() : [];
  const { startTelemetry } = await import('./start-telemetry.ts');
  startTelemetry(instrumentations, process.env);
}
