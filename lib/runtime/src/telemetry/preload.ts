// For `node --import`: enables tracing and the export of logs before the process loads its own modules.
import { isLogExportWanted, isTracingWanted } from './wanted-signals.ts';

const isTraced = isTracingWanted(process.env);
if (isTraced || isLogExportWanted(process.env)) {
  // Load modules only if needed. Create the hooks first: they instrument modules that the SDK loads.
  const instrumentations = isTraced ? (await import('./instrumentations.ts')).createInstrumentations() : [];
  const { startTelemetry } = await import('./start-telemetry.ts');
  startTelemetry(instrumentations, process.env);
}
