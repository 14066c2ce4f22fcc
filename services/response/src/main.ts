import { runProcess } from '@survey/runtime/service/run-process';
import { createResponseApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'response', settings, createApp: createResponseApp });
