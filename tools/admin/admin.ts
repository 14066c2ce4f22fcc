import { runCommandLine } from '@survey/local/process/command-line';
import { AppError } from '@survey/runtime/errors/app-error';
import { options } from './command.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { PartlyFailed } from './tenant-commands.ts';
import { USAGE } from './usage.ts';

function toMessage(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  return [error.message, ...error.errors.map(({ path, detail }) => `  ${path}: ${detail}`)].join('\n');
}

await runCommandLine({
  usage: USAGE,
  options,
  allowPositionals: true,
  toMessage,
  async run(parsed) {
    try {
      const result = await runAdminCommand(parsed);
      console.log(typeof result === 'string' ? result : JSON.stringify(result));
    } catch (error) {
      if (error instanceof PartlyFailed) console.log(JSON.stringify(error.done));
      throw error;
    }
  },
});
