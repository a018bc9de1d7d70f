using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Filters;

/// <summary>
/// What happens between reading and writing, in RedisShake's order: find keys, filter, function; then databases and
/// keys are renamed, and what the target could not take in one piece is cut. One per shard; entries that nothing
/// concerns keep their bytes.
/// </summary>
internal sealed class SyncTransform(TransformPlan plan, CommandTable table, SyncCounts counts) : IDisposable
{
    private const string OneForgets =
        "one server of the cluster deleted functions, and the target keeps them for the others";

    private readonly EntryFilter _filter = new(plan.Filter, table);
    private readonly ScriptFunction? _function =
        plan.Function is { } script ? new(script, table, plan.Log, plan.ReplacesKeys, plan.Clock) : null;

    private readonly ExpiredKeys? _expiredKeys = plan.ExtendsExpiredKeys ? new ExpiredKeys(table, counts, plan) : null;
    private readonly ReplicatedCommands _carried = new(table, counts);
    private readonly StreamRestores _restores = new(table, plan.Target);
    private readonly CommandDowngrade _oldForms = new(table);
    private readonly List<int> _keys = [];
    private readonly List<int> _chosen = [];
    private readonly List<int> _slots = [];
    private readonly List<SyncEntry> _given = [];
    private readonly List<SyncEntry> _passed = [];

    /// <summary>What remains of a batch, in its order; valid until the next.</summary>
    public ReadOnlySpan<SyncEntry> Process(SyncBatch batch)
    {
        _passed.Clear();
        foreach (ref var entry in batch.Entries)
        {
            counts.CountRead(entry);
            if (!Prepare(batch, ref entry))
                continue;
            counts.CountRead(table.All[entry.Command]);
            if (!TryFilter(batch, ref entry) || counts.SkipsDamaged(batch, entry) || _carried.LeavesOut(batch, entry))
                continue;
            if (_function is null)
            {
                Finish(batch, entry);
                continue;
            }

            _given.Clear();
            _function.Run(batch, entry, _keys, CommandOf(entry), _given);
            if (_given.Count == 0)
                counts.CountFiltered(entry);
            for (var i = 0; i < _given.Count; i++)
            {
                var given = _given[i];
                if (Prepare(batch, ref given))
                    Finish(batch, given);
            }
        }

        if (plan.IsTargetCluster)
            CutTransactions();
        return System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_passed);
    }

    public void Dispose() => _function?.Dispose();

    // Its command and keys; the function may make others.
    private bool Prepare(SyncBatch batch, ref SyncEntry entry)
    {
        _keys.Clear();
        if (entry.Kind != EntryKind.Command)
        {
            _keys.Add(0);
            entry.Command = _restores.Command.Number;
            return true;
        }

        if (table.Find(batch, entry) is not { } command)
        {
            if (!_filter.PassesDatabase(entry.Database)
                || !_filter.PassesUnknown(Encoding.Latin1.GetString(batch.Word(entry, 0))))
            {
                counts.CountFiltered(entry);
                return false;
            }

            throw new RedisServerException(
                $"ERR unknown command '{KeyText.Of(batch.Word(entry, 0))}'",
                $"{KeyText.Of(batch.Word(entry, 0))} is a command that neither this tool nor the target knows: "
                    + "where its keys are cannot be told. Block it (--block-command), or take a target that has it.");
        }

        entry.Command = command.Number;
        command.FindKeys(batch, entry, _keys);
        return true;
    }

    private bool TryFilter(SyncBatch batch, ref SyncEntry entry)
    {
        if (CrossesDatabases(batch, entry) || EmptiesOthers(batch, entry))
            return false;
        // Of another synchronisation, to this source.
        if (CountReserved(batch, entry) is > 0 and var reserved)
        {
            if (reserved < _keys.Count)
                throw Reserved(batch, entry);
            counts.CountFiltered(entry);
            return false;
        }

        if (!(_filter.PassesDatabase(entry.Database) || CommandOf(entry) is { HasNoDatabase: true })
            || !(entry.Kind != EntryKind.Command || entry.Part != ValuePart.None
                ? _filter.PassesRestore
                : _filter.PassesCommand(table.All[entry.Command])))
        {
            counts.CountFiltered(entry);
            return false;
        }

        // Names that the target makes from what its keys hold are neither chosen there nor renamed.
        var readsHidden = ChangesKeys && CommandOf(entry)?.ReadsOthers(batch, entry) is true;
        if (!readsHidden && (!_filter.HasKeys || _keys.Count == 0))
            return true;
        _chosen.Clear();
        foreach (var key in _keys)
        {
            if (_filter.PassesKey(batch.Word(entry, key)))
                _chosen.Add(key);
        }

        if (_chosen.Count == _keys.Count && !readsHidden)
            return true;
        if (_chosen.Count > 0 && table.All[entry.Command].Has(CommandFlags.Splits))
        {
            entry = Part(batch, entry, _chosen);
            _keys.Clear();
            table.All[entry.Command].FindKeys(batch, entry, _keys);
            return true;
        }

        if (_chosen.Count > 0)
        {
            counts.Skip(
                readsHidden ? "keys that are found by a pattern (SORT … BY, GET), where keys are chosen or renamed"
                    : "keys on both sides of the filter, in a command that cannot be cut",
                batch.Word(entry, _keys[0]));
        }
        else
        {
            counts.CountFiltered(entry);
        }

        return false;
    }

    private void Finish(SyncBatch batch, SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Command && _oldForms.WhyLeftOut(entry) is { } why)
        {
            counts.Skip(why, batch.Word(entry, table.All[entry.Command].NamingWord));
            return;
        }

        if (entry.Kind != EntryKind.Command || _oldForms.Of(batch, entry) is not { } forms)
        {
            FinishOne(batch, entry);
            return;
        }

        foreach (var form in forms)
        {
            var made = form;
            if (Prepare(batch, ref made))
                FinishOne(batch, made);
        }
    }

    private void FinishOne(SyncBatch batch, SyncEntry entry)
    {
        _carried.DoNotWait(batch, ref entry);
        var command = CommandOf(entry);
        entry.Database = command is { HasNoDatabase: true } ? 0 : plan.DatabaseOf(entry.Database);
        ReplaceLibrary(batch, ref entry);
        if (plan.ReadsServer && _restores.IsOfMovedSlot(entry))
        {
            // Nobody may go on from there.
            counts.Fault(SourceShards.MovedSlots);
            throw new TargetLostException($"{SourceShards.MovedSlots} {SyncRun.BeginsAnew}");
        }

        _restores.Process(batch, ref entry);
        if (plan.TargetExitsAtModules && _restores.IsOfModule(batch, entry))
        {
            counts.Skip("the value of a module, at which a server before Redis 6.2 exits", batch.Word(entry, _keys[0]));
            return;
        }

        if (_keys.Count == 0 && command?.Has(CommandFlags.Empties) == true)
            counts.Emptied++;
        if (command is { IsScript: true })
            counts.Scripts++;
        _expiredKeys?.Extend(batch, ref entry, _keys);
        Address(batch, entry);
    }

    public ReadOnlySpan<SyncEntry> EndExpiredKeys(SyncBatch batch)
    {
        _passed.Clear();
        foreach (ref readonly var entry in _expiredKeys is { } past ? past.EndRest(batch) : [])
        {
            _keys.Clear();
            _keys.Add(1);
            Address(batch, entry);
        }

        return System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_passed);
    }

    private int CountReserved(SyncBatch batch, in SyncEntry entry)
    {
        var count = 0;
        foreach (var key in _keys)
            count += CheckpointKeys.Has(batch.Word(entry, key)) ? 1 : 0;
        return count;
    }

    private TargetLostException Reserved(SyncBatch batch, in SyncEntry entry) => new(
        $"{(entry.Kind == EntryKind.Command ? table.All[entry.Command].Name : "RESTORE")} … "
            + $"{KeyText.Of(batch.Word(entry, _keys[0]))}: keys that begin with {CheckpointKeys.Name} are this "
            + "program's own at the target, and cannot be made of others there, nor others of them.");

    private void Address(SyncBatch batch, SyncEntry entry)
    {
        if (plan.Prefixes.Count > 0 && _keys.Count > 0)
        {
            Rename(batch, ref entry);
            if (CountReserved(batch, entry) > 0)
                throw Reserved(batch, entry);
        }

        if (plan.NeedsSlots)
            entry.Slot = SlotOf(batch, entry);
        if (!plan.NeedsSlots || entry.Slot != SyncEntry.ManySlots || !plan.IsTargetCluster)
            _passed.Add(entry);
        else
            Cut(batch, entry);
    }

    // What is one database here is none of its own there, or is not to be there.
    private bool CrossesDatabases(SyncBatch batch, in SyncEntry entry)
    {
        var isMapped = plan.Databases.Count > 0;
        if (CommandOf(entry) is not { } command || !(isMapped || _filter.HasDatabases))
            return false;
        var crosses = command.Name switch
        {
            "SWAPDB" or "MOVE" or "FLUSHALL" => true,
            "COPY" => CommandEffects.DatabasesOf(batch, entry, command).One is not null,
            "FLUSHDB" => isMapped && _filter.PassesDatabase(entry.Database) && plan.SharesDatabase(entry.Database),
            _ => false,
        };
        if (!crosses || !_filter.PassesCommand(command))
            return false;
        counts.Skip("other databases than the selected one, where they are chosen or mapped", batch.Word(entry, 0));
        return true;
    }

    // One shard forgets its keys or functions, and the others keep theirs, which are at the same target.
    private bool EmptiesOthers(SyncBatch batch, in SyncEntry entry)
    {
        if (!plan.HasShards || CommandOf(entry) is not { } command)
            return false;
        var reason = command.Name switch
        {
            "FLUSHALL" or "FLUSHDB" => "one server of the cluster was emptied, and the target not",
            "FUNCTION-DELETE" or "FUNCTION-FLUSH" => OneForgets,
            "FUNCTION-RESTORE" when Ascii.EqualsIgnoreCase(batch.Word(entry, entry.Words - 1), "FLUSH"u8) => OneForgets,
            _ => null,
        };
        if (reason is null || !_filter.PassesCommand(command))
            return false;
        counts.Skip(reason, Encoding.ASCII.GetBytes(command.Name));
        return true;
    }

    // Each shard of a source loads what the others do.
    private void ReplaceLibrary(SyncBatch batch, ref SyncEntry entry)
    {
        if (CommandOf(entry) is not { Name: "FUNCTION-LOAD" or "FUNCTION-RESTORE" } command)
            return;
        if (entry.Words != 3 && !Ascii.EqualsIgnoreCase(batch.Word(entry, entry.Words - 1), "APPEND"u8))
            return;
        // FUNCTION LOAD REPLACE code, FUNCTION RESTORE payload REPLACE.
        var replacesFirst = command.Name == "FUNCTION-LOAD";
        var request = batch.Make(4);
        request.WriteBulkString(batch.Word(entry, 0));
        request.WriteBulkString(batch.Word(entry, 1));
        request.WriteBulkString(replacesFirst ? "REPLACE"u8 : batch.Word(entry, 2));
        request.WriteBulkString(replacesFirst ? batch.Word(entry, 2) : "REPLACE"u8);
        entry = batch.Replace(entry);
    }

    private bool ChangesKeys => _filter.HasKeys || plan.Prefixes.Count > 0;

    private CommandSpec? CommandOf(in SyncEntry entry) =>
        entry.Kind == EntryKind.Command ? table.All[entry.Command] : null;

    private void Rename(SyncBatch batch, ref SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Restore)
        {
            if (plan.TryRename(batch.Word(entry, 0), out var renamed))
                batch.Rename(ref entry, renamed);
            return;
        }

        var changes = false;
        var request = batch.Make(entry.Words);
        for (int word = 0, key = 0; word < entry.Words; word++)
        {
            var bytes = batch.Word(entry, word);
            if (key < _keys.Count && _keys[key] == word)
            {
                key++;
                if (plan.TryRename(bytes, out var renamed))
                {
                    bytes = renamed;
                    changes = true;
                }
            }

            request.WriteBulkString(bytes);
        }

        if (changes)
            entry = batch.Replace(entry);
    }

    private int SlotOf(SyncBatch batch, in SyncEntry entry)
    {
        var slot = SyncEntry.NoSlot;
        var command = CommandOf(entry);
        // Each server of a cluster passes a message on to all others.
        if (plan.IsTargetCluster && command is { Name: "PUBLISH" })
            return KeySlot.Of(batch.Word(entry, 1));
        // A cluster takes it only where all of them are in one slot.
        if (!plan.IsTargetCluster && (command is { IsScript: true } || command?.ReadsOthers(batch, entry) is true))
            return SyncEntry.ManySlots;

        foreach (var key in _keys)
        {
            var next = KeySlot.Of(batch.Word(entry, key));
            if (slot != SyncEntry.NoSlot && slot != next)
                return SyncEntry.ManySlots;
            slot = next;
        }

        return slot;
    }

    // The parts are in the order of their first keys.
    private void Cut(SyncBatch batch, in SyncEntry entry)
    {
        var command = table.All[entry.Command];
        if (!command.Has(CommandFlags.Splits))
        {
            throw new RedisServerException(
                "CROSSSLOT Keys in request don't hash to the same slot",
                $"{command.Name} {KeyText.Of(batch.Word(entry, _keys[0]))} … has keys in several slots of the "
                    + "target, which is a cluster, and cannot be cut. Give its keys one tag, or block it "
                    + "(--block-command).");
        }

        _slots.Clear();
        foreach (var key in _keys)
        {
            var slot = KeySlot.Of(batch.Word(entry, key));
            if (_slots.Contains(slot))
                continue;
            _slots.Add(slot);
            _chosen.Clear();
            foreach (var other in _keys)
            {
                if (KeySlot.Of(batch.Word(entry, other)) == slot)
                    _chosen.Add(other);
            }

            var part = Part(batch, entry, _chosen);
            part.Slot = slot;
            _passed.Add(part);
        }

        counts.Cut++;
    }

    private SyncEntry Part(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        var step = table.All[entry.Command].KeyStep;
        var request = batch.Make(1 + (keys.Count * step));
        request.WriteBulkString(batch.Word(entry, 0));
        foreach (var key in keys)
        {
            for (var word = key; word < key + step && word < entry.Words; word++)
                request.WriteBulkString(batch.Word(entry, word));
        }

        return batch.Replace(entry);
    }

    // A cluster runs a transaction in one slot only.
    private void CutTransactions()
    {
        for (var first = 0; first < _passed.Count;)
        {
            var number = _passed[first].Transaction;
            var end = first + 1;
            var isOne = _passed[first].Slot >= 0;
            for (; number != 0 && end < _passed.Count && _passed[end].Transaction == number; end++)
                isOne &= _passed[end].Slot == _passed[first].Slot;
            if (number != 0 && !isOne)
            {
                counts.TransactionsCut++;
                for (var i = first; i < end; i++)
                    _passed[i] = _passed[i] with { Transaction = 0 };
            }

            first = end;
        }
    }
}
