using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Targets;
using RedisLatency.Sync.Verify;

namespace RedisLatency.Sync;

/// <summary>One synchronisation, whatever it reads.</summary>
/// <param name="plan">What was asked for.</param>
/// <param name="run">The run.</param>
/// <param name="open">Opens the source: its server, and a reader for each of its shards.</param>
internal sealed class SyncRun(SyncPlan plan, RunContext run, Func<SyncPlan, RdbFormat?, SyncSource> open)
{
    /// <summary>The command that begins anew.</summary>
    public const string BeginsAnew = "To begin anew: the same with --checkpoint anew --empty-destination.";

    private readonly SessionEvents _events = new();

    public int Run()
    {
        run.Enter(RunPhase.Connect);
        using var served = new ServedMetrics(plan.Options.Telemetry, "replication", run, plan.Member);
        using var fault = new SyncFault();
        var table = new CommandTable();
        var server = plan.Options.Destination is not null
            ? InterruptibleStep.Run(() => TargetServer.Read(plan.Resolve(plan.Options.Destination)), run.Stop)
            : null;
        using var source = InterruptibleStep.Run(() => open(plan, server?.Format), run.Stop);
        var preflight = server is null ? null : new Preflight(source.Server, server, plan);
        if (preflight is not null)
            InterruptibleStep.Run(preflight.RequireServers, run.Stop);
        var older = server is not null && source.Server is { } newer
            ? NewerFeatures.Missing(newer, server, plan) : null;
        if (older is not null)
            SyncLog.TargetIsOlder(run.Logger, older);
        // First: what a checkpoint says is of the process that had it.
        var processes = InterruptibleStep.Run(
            () => plan.KeepsCheckpoint && server is not null ? server.FindProcesses() : [], run.Stop);
        var store = InterruptibleStep.Run(
            () => server is null ? null : new CheckpointStore(server, run.Stop), run.Stop);
        var checkpoints = CheckpointsOf(source, server, store);
        var goesOn = checkpoints.Exists(one => one.Resumed is not null);
        if (preflight is not null && !goesOn)
            InterruptibleStep.Run(preflight.RequireRoom, run.Stop);
        if (checkpoints.Count > 0)
            InterruptibleStep.Run(() => CheckpointWatch.RequireNobody(server!, checkpoints, run.Stop), run.Stop);
        if (!goesOn && source.Server is { } copied)
        {
            InterruptibleStep.Run(
                () => store?.BreakThoseOf([.. FieldsOf(source)], copied.FindHistories()), run.Stop);
        }

        InterruptibleStep.Run(() => (server ?? source.Server)?.Teach(table), run.Stop);
        var events = new EventReporter(_events, run.Logger);
        var transform = plan.Transform(
            server, source.Server, source.Readers.Count, text => SyncLog.FunctionSaid(run.Logger, text), fault);
        var connections = goesOn && server?.IsCluster == false
            ? checkpoints[0].Resumed!.Head.Groups
            : plan.Options.Connections;
        transform = transform with { NeedsSlots = connections > 1 || server?.HasMap == true };
        var redis = server is null ? null : OpenTarget(
            server, processes, table, transform.KeysMayMeet(source.Server), fault, goesOn, connections);
        var writer = redis ?? (ISyncWriter)plan.FileWriterFor(source.Server);
        using var verify = plan.Options.Verifies && source.Server is { } from && server is not null
            ? InterruptibleStep.Run(() => new VerifyPhase(plan, from, server, run.Stop), run.Stop)
            : null;
        using var pipeline = new SyncPipeline(
            source.Readers, writer, transform, table, _events, fault, verify?.End ?? run.Stop, plan.Options.Rate);
        for (var i = 0; i < checkpoints.Count; i++)
            pipeline.Shards[i].Keep(checkpoints[i]);
        using var watch = checkpoints.Count > 0 ? new CheckpointWatch(server!, checkpoints, fault) : null;

        using var serverWatch = redis is null ? null : InterruptibleStep.Run(
            () => new ServerWatch(source.Server, server!, source.FindMovedSlots, redis, fault), run.Stop);
        var status = new SyncStatus(
            pipeline, writer, table, source.Server?.IsCluster == true, plan.ExpectsKeys,
            TimeProvider.System.GetLocalNow());
        served.ServeStatus(status.Write, status.Missing);

        run.Enter(RunPhase.WarmUp);
        List<(string Role, TargetServer Server)> servers = [];
        if (source.Server is not null)
            servers.Add(("source", source.Server));
        if (server is not null)
            servers.Add(("target", server));
        using var recording = plan.Record(run, servers.Select(one => one.Server.Target));
        var metrics = SyncMetrics.Of(pipeline.Shards, writer.OpenAll());
        served.Add(recording.Instrument.Metrics);
        served.Add(metrics);
        if (pipeline.Shards.Count > 1)
        {
            foreach (var shard in pipeline.Shards)
                served.Add(SyncMetrics.OfShard(shard));
        }

        var stages = new SyncStages(pipeline.Shards, run.Logger);
        recording.Show(() => [.. _events.ToRecord(), .. stages.ToRecord()]);
        var (began, ended, written) = (0L, 0L, 0L);
        var goesOnLater = false;
        recording.Measure(() =>
        {
            using var reporter = recording.Report(metrics, EndInterval, Describe(source, writer, metrics));
            served.Watch(reporter);
            began = MonotonicClock.NowNs();
            try
            {
                if (source.HasNoEnd)
                    verify?.Begin(() => status.Missing() is null && !status.HasWork);
                Run(pipeline, verify);
            }
            catch (Exception lost) when (
                checkpoints.Count > 0 && FailureMapping.ExitCodeFor(lost, RunPhase.Measure) == ExitCode.TargetLost
                && !lost.Message.Contains(BeginsAnew, StringComparison.Ordinal))
            {
                (goesOnLater, var how) = WhatGoesOn(pipeline, redis);
                throw new TargetLostException($"{lost.Message.TrimEnd('.')}. {how}", lost);
            }
            finally
            {
                ended = MonotonicClock.NowNs();
                reporter.Stop();
            }
        });

        run.Enter(RunPhase.Report);
        var record = new SyncRecord(
            source, writer, servers, pipeline.Shards, metrics, _events, ended - began);
        var findings = record.ToFindings(
            plan, transform, [.. source.Notes, .. older is null ? [] : (string[])[older]], run);
        // What this one found would be forgotten by the next; but what a target has lost its checkpoint lacks, too.
        if (findings.Faults.Count > 0 && !goesOnLater)
            redis?.BreakCheckpointAtEnd();
        findings = findings with { Events = [.. findings.Events.Concat(stages.ToRecord()).OrderBy(one => one.AtNs)] };
        return recording.Finish(recording.Describe(verify?.AddTo(findings) ?? findings));

        void EndInterval(in TakenInterval interval, ref LiveSnapshot snapshot)
        {
            events.Report();
            stages.Report();
            status.Tick();
            snapshot.AchievedRate = (snapshot.Returned - written) / interval.Duration.TotalSeconds;
            snapshot.InFlight = writer.Places.Sum(place => place.UnansweredEntries);
            snapshot.IsIdle = !status.HasWork;
            written = snapshot.Returned;
            snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(interval.EndNs - began, 0));
            // Not what is counted by now: the interval may have waited for its log's disk since.
            var filtered = pipeline.Shards.Sum(shard => shard.Counts.Filtered);
            snapshot.Progress = pipeline.ProgressAt(snapshot.Sent, snapshot.Returned + snapshot.Errors + filtered);
        }
    }

    // The comparison ends what would have no end.
    private static void Run(SyncPipeline pipeline, VerifyPhase? verify)
    {
        try
        {
            pipeline.Run();
        }
        catch (OperationCanceledException) when (verify is not null)
        {
        }

        verify?.Finish();
    }

    private (bool GoesOn, string How) WhatGoesOn(SyncPipeline pipeline, RedisWriter? redis)
    {
        redis?.End();
        if (SyncRecord.FaultsOf([.. pipeline.Shards.Select(shard => shard.Counts)], plan.ExpectsKeys).Any())
            redis?.BreakCheckpointAtEnd();
        if (redis?.IsCheckpointBroken == true)
            return (false, $"The target's checkpoint is not exact any more. {BeginsAnew}");
        var offsets = pipeline.Shards.Select(shard => shard.AppliedOffset).ToList();
        return offsets.TrueForAll(offset => offset != SyncEntry.NoOffset)
            ? (true, $"The same command goes on, from offset {string.Join(" and ", offsets)} or before.")
            : (false, $"The data set was not at the target yet. {BeginsAnew}");
    }

    // One for each shard, or none. What not all of them have is of a data set that was not read to its end.
    private List<ShardCheckpoint> CheckpointsOf(SyncSource source, TargetServer? target, CheckpointStore? store)
    {
        if (target is null || store is null || !plan.KeepsCheckpoint)
            return [];
        var fields = FieldsOf(source).ToList();
        var digest = plan.Digest(source.SlotRanges);
        var known = plan.Options.Reading.Checkpoint == CheckpointUse.Keep ? fields.ConvertAll(store.Find) : [];
        if (known.Find(one => one is not null && one.Head.Plan != digest) is not null)
        {
            throw new RunRefusedException(
                $"The checkpoint of {source.Name} at the target is of a command with other filters, databases, "
                    + "prefixes or functions, or with another choice of --no-data-set: give that one again; or slots "
                    + $"of the source have moved since. {BeginsAnew}");
        }

        var groups = target.IsCluster ? KeySlot.Count : plan.Options.Connections;
        return fields.Select((field, i) => new ShardCheckpoint(
            field, digest, groups, target.IsCluster, store.SlotsOf(field),
            known.Count > 0 && !known.Contains(null) ? known[i] : null)).ToList();
    }

    private static IEnumerable<string> FieldsOf(SyncSource source) =>
        source.Readers.Select(reader => CheckpointKeys.FieldOf(source.Name, reader.Shard));

    private RedisWriter OpenTarget(
        TargetServer server, Dictionary<string, string> processes, CommandTable table, bool keysMayMeet,
        SyncFault fault, bool goesOn, int connections)
    {
        var map = InterruptibleStep.Run(server.OpenMap, run.Stop);
        return new RedisWriter(
            plan.Rules(server, map, processes, table, _events, keysMayMeet), server, connections, fault,
            plan.Options.EmptiesDestination && !goesOn ? run.Stop : null);
    }

    private LiveDescription Describe(SyncSource source, ISyncWriter writer, MetricSet metrics) =>
        LiveDescription.Of($"{plan.Verb} · {source.Name} to {writer.Name} · run {plan.Run}", metrics) with
        {
            Items = "entries",
            CanBeLost = false,
            HasTimeLeft = true,
        };
}
