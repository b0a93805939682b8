import type { Page } from '@playwright/test';

/** The button that opens the dialog of filters, under its name on a phone or on a desktop. */
export const filterButton = (page: Page) =>
  page.getByRole('button', { name: /^(?:Sort and f|F)ilter/u });

/** Chooses category or order on /shop: on a phone in the dialog of filters, where both fields are. */
export async function chooseInListing(
  page: Page,
  field: 'Category' | 'Sort by',
  option: string | { label: string },
): Promise<void> {
  const select = page.getByLabel(field, { exact: true });
  const isInDialog = (page.viewportSize()?.width ?? 0) < 768;
  if (isInDialog) await filterButton(page).click();
  await select.selectOption(option);
  if (isInDialog) await page.keyboard.press('Escape');
}
