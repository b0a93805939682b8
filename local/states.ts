/*
 * `npm run states`: writes src/domain/orders/order-answers.ts, what each state of an order answers, from the view private.order_answers
 * of the migrations.
 */
import { writeFile } from 'node:fs/promises';
import { createPgliteDatabase } from './shared/pglite-database.ts';
import { readMigrations } from './shared/sql-files.ts';
import { answersFile, orderAnswersText, readAnswers } from './states/order-answers-file.ts';

const database = await createPgliteDatabase(await readMigrations());
try {
  await writeFile(answersFile, await orderAnswersText(await readAnswers(database.query)));
} finally {
  await database.close();
}
