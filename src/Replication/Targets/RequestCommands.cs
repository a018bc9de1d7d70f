using System.Text;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication.Targets;

// Finds the commands in a request, or in a transaction, that use keys.
internal sealed class RequestCommands(CommandTable table)
{
    private readonly CommandFrames _frames = new();
    private readonly SyncBatch _batch = new();
    private readonly List<int> _words = [];

    public List<KeyedCommand> Find(ReadOnlySpan<byte> request)
    {
        var found = new List<KeyedCommand>();
        while (!request.IsEmpty && _frames.TryRead(request, out var frame))
        {
            _batch.Clear();
            var entry = _batch.AddCommand(frame, _frames.Words, database: 0);
            if (Read(entry) is { } command)
                found.Add(command);
            request = request[frame.Length..];
        }

        return found;
    }

    private KeyedCommand? Read(in SyncEntry entry)
    {
        if (table.Find(_batch, entry) is not { } command)
            return new KeyedCommand(null, CommandEffect.Changes, HasOneKey: false);
        _words.Clear();
        command.Keys.Find(_batch, entry, _words);
        if (_words.Count == 0 && command.Group is "TRANSACTIONS" or "CONNECTION" or "PUBSUB")
            return null;
        // A script may use keys that it does not name.
        var isKnown = _words.Count > 0 && command.Group != "SCRIPTING" && !command.Keys.ReadsOthers(_batch, entry);
        return new KeyedCommand(
            isKnown ? [.. _words.Select(KeyAt(entry))] : null, CommandEffects.Of(_batch, entry, command),
            command.HasOneKey);
    }

    private Func<int, string> KeyAt(SyncEntry entry) => word => Encoding.Latin1.GetString(_batch.Word(entry, word));
}

// Its keys are those of any database; null where not all are known.
internal sealed record KeyedCommand(HashSet<string>? Keys, CommandEffect Effect, bool HasOneKey)
{
    public bool SharesKeyWith(KeyedCommand other) =>
        Keys is null || other.Keys is null || Keys.Overlaps(other.Keys);

    // Whether they may be carried out, and then all of them once more: its place in the list, -1 where all may.
    public static int FindUnrepeatable(IReadOnlyList<KeyedCommand> commands)
    {
        for (var i = 0; i < commands.Count; i++)
        {
            var (command, before, behind) = (commands[i], commands.Take(i), commands.Skip(i + 1));
            if (command.Effect == CommandEffect.Changes)
                return i;
            // What is taken from a key once more may be the last of it by now: then it comes back as a new one.
            if (command.Effect is CommandEffect.Adds or CommandEffect.Conditional
                && before.Any(one => one.Effect == CommandEffect.Removes && one.SharesKeyWith(command))
                && !(command.Effect == CommandEffect.Adds
                    && behind.Any(one => one.Effect == CommandEffect.Keeps && one.SharesKeyWith(command))))
            {
                return i;
            }
        }

        return -1;
    }
}
