using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

// Finds the commands in a request, or in a transaction, that use keys.
internal sealed class RequestCommands(CommandTable table)
{
    private readonly CommandFrames _frames = new();
    private readonly Lazy<SyncBatch> _batch = new(() => new SyncBatch());
    private readonly List<int> _words = [];

    private SyncBatch Batch => _batch.Value;

    public List<KeyedCommand> Find(ReadOnlySpan<byte> request)
    {
        var found = new List<KeyedCommand>();
        for (var place = 0; !request.IsEmpty && _frames.TryRead(request, out var frame); place++)
        {
            Batch.Clear();
            var entry = Batch.AddCommand(frame, _frames.Words, database: 0);
            if (Read(entry) is { } command)
                found.Add(command with { Place = place });

            request = request[frame.Length..];
        }

        return found;
    }

    private KeyedCommand? Read(in SyncEntry entry)
    {
        if (table.Find(Batch, entry) is not { } command)
            return new KeyedCommand(null, null, CommandEffect.Changes);
        _words.Clear();
        command.FindKeys(Batch, entry, _words);
        if (_words.Count > 0 && CheckpointKeys.Has(Batch.Word(entry, _words[0])))
            return null;
        if (_words.Count == 0 && command.Group is "TRANSACTIONS" or "CONNECTION" or "PUBSUB")
            return null;
        // A script may use keys that it does not name.
        var isKnown = _words.Count > 0 && command.Group != "SCRIPTING" && !command.ReadsOthers(Batch, entry);
        return new KeyedCommand(
            command, isKnown ? [.. _words.Select(KeyAt(entry))] : null, command.EffectOf(Batch, entry))
        {
            Named = [.. _words.Select(KeyAt(entry))],
            EndsAtMs = CommandTime.Of(Batch, entry, command),
        };
    }

    private Func<int, string> KeyAt(SyncEntry entry) => word => Encoding.Latin1.GetString(Batch.Word(entry, word));
}
