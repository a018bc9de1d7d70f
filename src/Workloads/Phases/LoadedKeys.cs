using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads.Phases;

internal sealed class LoadedKeys(WorkloadJob job)
{
    private bool _isSure;

    public void Require(IEnumerable<PhasePlan> firsts)
    {
        var ranges = job.Phases.SelectMany(RangesOf).Distinct().ToList();
        if (ranges.Count == 0 || job.Running.Overwrite)
            return;
        _isSure = true;
        foreach (var servers in firsts.SelectMany(KeyServers.Of))
        {
            using (servers)
            {
                if (Problem(servers, ranges, out var isWhole) is { } problem)
                    throw new RunRefusedException($"{problem}; --overwrite writes all the same");
                _isSure &= isWhole;
            }
        }
    }

    /// <summary>Values that somebody loaded otherwise than they are compared would all be called wrong.</summary>
    /// <exception cref="RunRefusedException">They were.</exception>
    public void RequireValues(IEnumerable<PhasePlan> firsts)
    {
        if (job.Phases.Any(phase => phase.IsLoad))
            return;
        foreach (var phase in firsts.Where(phase => phase.Options.Verify))
        {
            var keys = new KeyRange(phase.Options.KeyForm, phase.Space.First, phase.Space.Count);
            foreach (var servers in KeyServers.Of(phase))
            {
                using (servers)
                    RequireValues(servers, keys, $"{phase.Content}");
            }
        }
    }

    /// <summary>Notes what a phase is going to write, where none of it can be anybody else's.</summary>
    public void Begin(PhaseSession session)
    {
        if (_isSure)
            Write(session, RangesOf(session.Phase), null);
    }

    /// <summary>Notes what a phase has written, where that was not known before.</summary>
    public void End(PhaseSession session)
    {
        var phase = session.Phase;
        if (phase.IsLoad)
        {
            var isDone = session.Totals?.Completed == phase.Operations;
            var isOpen = phase.Options.Expiry is not null || session.NotNoted is not null;
            if (_isSure ? isOpen : isDone)
                Write(session, RangesOf(phase), TimeProvider.System.GetUtcNow() + phase.Options.Expiry?.Most);
        }
        else if (phase.Inserts is { } inserts && inserts.LastAcknowledged > phase.Space.Last)
        {
            // A run that goes by time inserts as many as it can.
            var first = phase.Space.Last + 1;
            Write(session, [new(phase.Options.KeyForm, first, inserts.LastAcknowledged - first + 1)], null);
        }
    }

    internal static string? Problem(KeyServers servers, IReadOnlyList<KeyRange> ranges, out bool isWhole)
    {
        try
        {
            return ForeignKeys.Find(servers, ranges, out isWhole);
        }
        catch (RedisServerException refusal)
        {
            isWhole = false;
            return $"{servers.Name}: whether the keys that would be written are there cannot be asked: "
                + refusal.Message;
        }
    }

    internal static IEnumerable<KeyRange> RangesOf(PhasePlan phase)
    {
        if (!phase.Mix.Operations.Any(operation =>
            operation.Command is { OnlyReads: false, HasKey: true, Replayed: null }))
            yield break;
        var count = phase.Space.Count + phase.Space.ExpectedInserts;
        yield return new(phase.Options.KeyForm, phase.Space.First, phase.Form.IsConstant ? 1 : count);
        if (phase.Options.Index is { } index)
            yield return new($"literal:{index}", 0, 1);
    }

    private static void RequireValues(KeyServers servers, KeyRange keys, string wanted)
    {
        if (LoadMarker.ValuesOf(servers, keys).FirstOrDefault(loaded => loaded != wanted) is { } other)
        {
            throw new RunRefusedException($"{servers.Name}: --verify compares with --value {wanted}, and the records "
                + $"were loaded with --value {other}: load them with --value {wanted}");
        }
    }

    private static bool IsOfOtherTypes(CommandTemplate command) =>
        command.Shapes.Any(shape => RedisCommands.Find(shape.Name)
            is { Group: "LIST" or "SET" or "HASH" or "SORTED_SET" or "STREAM" } known && known.Has(CommandFlags.Write));

    private static void Write(PhaseSession session, IEnumerable<KeyRange> ranges, DateTimeOffset? until)
    {
        var phase = session.Phase;
        var all = ranges.ToList();
        if (all.Count == 0)
            return;
        session.NotNoted = null;
        var what = string.Create(
            CultureInfo.InvariantCulture, $"verb={(phase.IsLoad ? "load" : "run")} seed={phase.Options.Seed}");
        if (phase.IsLoad)
            what += $" {LoadMarker.Value}{phase.Content}";
        // What commands of the user's leave is not known.
        if (phase.Options.Commands.Count > 0 || phase.Mix.Operations.Any(one => IsOfOtherTypes(one.Command)))
            what += $" {LoadMarker.OfAnyType}";
        try
        {
            foreach (var servers in KeyServers.Of(phase))
            {
                using (servers)
                {
                    // What a load wrote stays the load's.
                    foreach (var range in phase.IsLoad ? all : ForeignKeys.NotLoaded(servers, all))
                    {
                        if (LoadMarker.Write(servers, range, what, until) is { } reason)
                            session.NotNoted = $"{servers.Name}: {reason}";
                    }
                }
            }
        }
        catch (RedisException failure)
        {
            session.NotNoted = $"{phase.Endpoints[0].Address}: {failure.Message}";
        }
    }
}
