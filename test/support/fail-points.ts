import type { Db, Document } from 'mongodb';

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
/** Code of MongoDB when there is no room left. */
const OUT_OF_DISK_SPACE = 14_031;

/** How MongoDB fails writes. */
export interface WriteFault {
  readonly failPoint: 'failCommand' | 'failCollectionInserts';
  readonly mode: 'alwaysOn' | { readonly activationProbability: number };
  readonly data: Document;
}

/** @param appName the database of a service: also the name by which MongoDB knows its connections */
export const failWrites = (appName: string, mode: WriteFault['mode'], data: Document): WriteFault => ({
  failPoint: 'failCommand',
  mode,
  data: { appName, failCommands: WRITES, ...data },
});

export const diskFull = (appName: string): WriteFault =>
  failWrites(appName, 'alwaysOn', { errorCode: OUT_OF_DISK_SPACE });

export const switchOn = (admin: Db, { failPoint, mode, data }: WriteFault): Promise<Document> =>
  admin.command({ configureFailPoint: failPoint, mode, data });

export const switchOff = (admin: Db, { failPoint }: WriteFault): Promise<Document> =>
  admin.command({ configureFailPoint: failPoint, mode: 'off' });

/** Has the primary step down for some seconds. */
export const stepDownPrimary = (admin: Db, seconds: number): Promise<Document> =>
  admin.command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true });
