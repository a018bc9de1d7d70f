using System.Text;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Targets;

// Finds the keys of a request, or of all commands of a transaction.
internal sealed class RequestKeys(CommandTable table)
{
    private readonly CommandFrames _frames = new();
    private readonly SyncBatch _batch = new();
    private readonly List<int> _words = [];

    // Whatever their database; null where not all are known.
    public HashSet<string>? Find(ReadOnlySpan<byte> request)
    {
        var keys = new HashSet<string>(StringComparer.Ordinal);
        while (!request.IsEmpty && _frames.TryRead(request, out var frame))
        {
            _batch.Clear();
            var entry = _batch.AddCommand(frame, _frames.Words, database: 0);
            // A script may use keys that it does not name.
            if (table.Find(_batch, entry) is not { Group: not "SCRIPTING" } command
                || command.Keys.ReadsOthers(_batch, entry))
            {
                return null;
            }

            _words.Clear();
            command.Keys.Find(_batch, entry, _words);
            if (_words.Count == 0 && command.Group is not ("TRANSACTIONS" or "CONNECTION" or "PUBSUB"))
                return null;
            foreach (var word in _words)
                keys.Add(Encoding.Latin1.GetString(_batch.Word(entry, word)));
            request = request[frame.Length..];
        }

        return keys;
    }
}
