import { runProcess } from '@survey/runtime/service/run-process';
import { createIdentityApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'identity', settings, createApp: createIdentityApp });
