using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

internal readonly ref struct EntryWords(SyncBatch batch, ref readonly SyncEntry entry) : ICommandWords
{
    private readonly ref readonly SyncEntry _entry = ref entry;

    public int Count => _entry.Words;

    public ReadOnlySpan<byte> this[int word] => batch.Word(_entry, word);
}
