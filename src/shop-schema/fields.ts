import * as z from 'zod';

/* Values that several settings have, each with the sentence for whoever gives another. */

export const text = (what: string, max = 200) =>
  z
    .string(`give ${what}`)
    .trim()
    .min(1, `give ${what}`)
    .max(max, `at most ${String(max)} letters`);
export const email = z.email('give an e-mail address');
export const phone = z
  .string('give a telephone number')
  .regex(/^\+?[\d ]{8,20}$/u, 'give a telephone number, such as +91 484 000 0000');
export const whole = (what: string, min: number, max: number) =>
  z
    .int(`give ${what}, a whole number`)
    .min(min, `give ${what}: ${String(min)} or more`)
    .max(max, `give ${what}: ${String(max)} at most`);
export const yesOrNo = z.boolean('give true or false');
