/* How long GTK takes to list, sort and follow a folder: GtkDirectoryList with GtkSortListModel, names in natural order.
 *
 * usage: gtk-lists DIR
 *
 * Prints one line: milliseconds to open, to take in one new file, to take in one renamed file, to sort anew by size,
 * and KiB of memory. The folder must not change meanwhile. Needs no display.
 */
#include <fcntl.h>
#include <gtk/gtk.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean sorted_changed;

static double milliseconds(gint64 since) { return (double)(g_get_monotonic_time() - since) / 1000; }

static void on_change(GListModel *model, guint position, guint removed, guint added, gpointer data) {
  (void)model, (void)position, (void)removed, (void)added, (void)data;
  sorted_changed = TRUE;
}

static const char *collation_key(GFileInfo *info) {
  char *key = g_object_get_data(G_OBJECT(info), "key");
  if (!key) {
    key = g_utf8_collate_key_for_filename(g_file_info_get_display_name(info), -1);
    g_object_set_data_full(G_OBJECT(info), "key", key, g_free);
  }
  return key;
}

static int by_name(gconstpointer left, gconstpointer right, gpointer data) {
  (void)data;
  return strcmp(collation_key((GFileInfo *)left), collation_key((GFileInfo *)right));
}

static int by_size(gconstpointer left, gconstpointer right, gpointer data) {
  goffset one = g_file_info_get_size((GFileInfo *)left), other = g_file_info_get_size((GFileInfo *)right);
  return one < other ? -1 : one > other ? 1 : by_name(left, right, data);
}

static void run_until_changed(void) {
  sorted_changed = FALSE;
  while (!sorted_changed) g_main_context_iteration(NULL, TRUE);
}

static long resident(void) {
  long pages = 0, total = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: gtk-lists DIR\n");
    return 64;
  }
  const char *folder = arguments[1];
  long before = resident();
  gint64 start = g_get_monotonic_time();
  GFile *file = g_file_new_for_path(folder);
  GtkDirectoryList *list = gtk_directory_list_new("standard::*,time::*", file);
  GtkSorter *names = GTK_SORTER(gtk_custom_sorter_new(by_name, NULL, NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new(G_LIST_MODEL(list), names);
  while (gtk_directory_list_is_loading(list)) g_main_context_iteration(NULL, TRUE);
  guint rows = g_list_model_get_n_items(G_LIST_MODEL(sorted));
  if (rows == 0) return 1;
  g_object_unref(g_list_model_get_item(G_LIST_MODEL(sorted), rows - 1));
  double opening = milliseconds(start);
  long memory = resident() - before;
  g_signal_connect(sorted, "items-changed", G_CALLBACK(on_change), NULL);

  char *made = g_build_filename(folder, "document 5000 and a half.txt", NULL);
  char *renamed = g_build_filename(folder, "another name.txt", NULL);
  start = g_get_monotonic_time();
  close(open(made, O_CREAT | O_EXCL | O_WRONLY, 0644));
  do run_until_changed();
  while (g_list_model_get_n_items(G_LIST_MODEL(sorted)) != rows + 1);
  double insertion = milliseconds(start);
  start = g_get_monotonic_time();
  if (rename(made, renamed) != 0) return 1;
  run_until_changed();
  double renaming = milliseconds(start);

  start = g_get_monotonic_time();
  gtk_sort_list_model_set_sorter(sorted, GTK_SORTER(gtk_custom_sorter_new(by_size, NULL, NULL)));
  g_object_unref(g_list_model_get_item(G_LIST_MODEL(sorted), 0));
  double sorting = milliseconds(start);
  unlink(renamed);
  printf("%u rows: opening %.1f ms, insertion %.2f ms, rename %.2f ms, sorting %.1f ms, %ld KiB\n", rows, opening,
         insertion, renaming, sorting, memory);
  return 0;
}
