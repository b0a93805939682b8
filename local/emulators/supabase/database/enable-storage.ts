/*
 * `@supabase/lite` reads this flag once, when it is first imported; its storage does all that the shop needs of it.
 * Imported for its effect, ahead of anything that imports the package.
 */
process.env['EXPERIMENTAL_STORAGE'] = '1';
