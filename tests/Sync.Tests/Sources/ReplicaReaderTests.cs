using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>Real sources that are written to while they are read, and the target beside them.</summary>
public sealed class ReplicaReaderTests
{
    private static readonly int GetAckLength = "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n".Length;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Target_EqualsTheSource_ThatIsWrittenToMeanwhile(bool diskless)
    {
        await using var source = await SourceServers.Start("--repl-diskless-sync", diskless ? "yes" : "no");
        await using var target = await SourceServers.Start();
        using var writer = SourceServers.Open(source);
        using var other = SourceServers.Open(target);
        SourceServers.Fill(writer);
        using var shards = SourceShards.Open(SourceServers.Options(source.Uri));
        using var sink = new TargetSink(target);
        using var stop = new StopSignal();
        var reading = shards.Readers.Single().Run(sink, stop);

        Write(writer, "while", 500);
        writer.Execute("MULTI");
        writer.Execute("SET", "a", "1");
        writer.Execute("SET", "b", "2");
        writer.Execute("EXEC");
        writer.Execute("SET", "end", "1");
        await SourceServers.Until("the end came", reading, () => sink.Commands.Contains("SET end 1"));
        SourceServers.Digest(other).ShouldBe(SourceServers.Digest(writer));
        // The source hears of it once a later write is there too.
        using (var later = SourceServers.Open(source))
            later.Execute("SET", "later", "1");
        writer.Execute("WAIT", "1", "0").Number.ShouldBe(1);
        stop.Request(StopCause.Interrupt);
        await reading;

        sink.Notes.ShouldBeEmpty();
        sink.Transactions.Count(number => number == 1).ShouldBe(2);
        sink.Commands.ShouldNotContain(command => command.StartsWith("MULTI") || command.StartsWith("SELECT"));
        shards.Readers[0].Progress.Phase.ShouldBe("syncing aof");
    }

    // What WAIT itself, a replica's PING or a change of database adds to the stream is no later write.
    [Fact]
    public async Task Wait_CountsIt_OnlyOnceALaterWriteIsAtTheTarget()
    {
        await using var source = await SourceServers.Start("--repl-ping-replica-period", "1");
        await using var target = await SourceServers.Start();
        using var writer = SourceServers.Open(source);
        using var other = SourceServers.Open(source);
        var options = SourceServers.Options(source.Uri);
        using var shards = SourceShards.Open(options with
        {
            Replication = options.Replication with { AcknowledgeEvery = TimeSpan.FromMilliseconds(20) },
        });
        using var sink = new TargetSink(target);
        using var stop = new StopSignal();
        var reading = shards.Readers.Single().Run(sink, stop);
        other.Execute("SET", "begin", "1");
        await SourceServers.Until("it has begun", reading, () => sink.AppliedOffset > 0);

        writer.Execute("INCR", "a");
        var written = OffsetOf(other);
        var waiting = Task.Run(() => writer.Execute("WAIT", "1", "0").Number, SourceServers.Cancellation);
        await Eventually.Is("it waits, and asked in the stream", () => OffsetOf(other) >= written + GetAckLength);
        await SourceHearsOfAll(other, sink, reading);
        CountWaiting(other).ShouldBe(1);
        var pinged = OffsetOf(other);
        await Eventually.Is("a ping came", () => OffsetOf(other) > pinged);
        await SourceHearsOfAll(other, sink, reading);
        CountWaiting(other).ShouldBe(1);

        // Reconnecting, it says no more.
        other.Execute("CLIENT", "KILL", "TYPE", "replica");
        await SourceServers.Until(
            "it is back", reading, () => sink.Notes.Any(note => note.StartsWith("reconnected")));
        await SourceHearsOfAll(other, sink, reading);
        CountWaiting(other).ShouldBe(1);

        other.Execute("SET", "later", "1");
        (await waiting).ShouldBe(1);
        stop.Request(StopCause.Interrupt);
        await reading;
    }

    // Where a run goes on, what stands last before that place may be a PING.
    [Fact]
    public async Task Wait_OfWhatARunBeforeHasBrought_IsCounted_OnlyOnceALaterWriteIsAtTheTarget()
    {
        await using var source = await SourceServers.Start("--repl-ping-replica-period", "1");
        await using var target = await SourceServers.Start();
        using var writer = SourceServers.Open(source);
        using var other = SourceServers.Open(source);
        var options = SourceServers.Options(source.Uri);
        options = options with
        {
            Replication = options.Replication with { AcknowledgeEvery = TimeSpan.FromMilliseconds(20) },
        };
        using var sink = new TargetSink(target);
        await Run(StreamPosition.None, async reading =>
        {
            other.Execute("SET", "begin", "1");
            await SourceServers.Until("it has begun", reading, () => sink.AppliedOffset > 0);
            writer.Execute("INCR", "a");
            var written = OffsetOf(other);
            await SourceServers.Until("a ping came behind it", reading, () => sink.AppliedOffset > written);
        });

        await Run(new(Fact(other, "replication", "master_replid"), sink.AppliedOffset, 0), async reading =>
        {
            var waiting = Task.Run(() => writer.Execute("WAIT", "1", "0").Number, SourceServers.Cancellation);
            await SourceServers.Until("it waits", reading, () => CountWaiting(other) == 1);
            await SourceHearsOfAll(other, sink, reading);
            CountWaiting(other).ShouldBe(1);
            other.Execute("SET", "later", "1");
            other.Execute("SET", "last", "1");
            (await waiting).ShouldBe(1);
        });

        async Task Run(StreamPosition from, Func<Task, Task> during)
        {
            using var shards = SourceShards.Open(options);
            using var stop = new StopSignal();
            shards.Readers.Single().GoOnFrom(from);
            var reading = shards.Readers.Single().Run(sink, stop);
            await during(reading);
            stop.Request(StopCause.Interrupt);
            await reading;
        }
    }

    private static int CountWaiting(RedisConnection source) =>
        int.Parse(Fact(source, "clients", "blocked_clients"), CultureInfo.InvariantCulture);

    // The target has all, and the source has been told twice since.
    private static async Task SourceHearsOfAll(RedisConnection source, TargetSink sink, Task reading)
    {
        var due = OffsetOf(source);
        await SourceServers.Until("the target has all", reading, () => sink.AppliedOffset >= due);
        var told = Acknowledgements(source);
        await SourceServers.Until("it was told", reading, () => Acknowledgements(source) >= told + 2);
    }

    [Fact]
    public async Task LostLink_IsGoneOnWith_WithoutLossOrRepetition()
    {
        await using var source = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var writer = SourceServers.Open(source);
        using var other = SourceServers.Open(target);
        using var killer = SourceServers.Open(source);
        using var shards = SourceShards.Open(SourceServers.Options(source.Uri));
        using var sink = new TargetSink(target);
        using var stop = new StopSignal();
        var reading = shards.Readers.Single().Run(sink, stop);
        writer.Execute("SET", "begin", "1");
        await SourceServers.Until("it has begun", reading, () => sink.AppliedOffset > 0);

        for (var cut = 1; cut <= 3; cut++)
        {
            // What is not idempotent shows what comes twice.
            for (var i = 0; i < 200; i++)
            {
                writer.Execute("INCR", "count");
                writer.Execute("RPUSH", "list", $"{cut}-{i}");
                if (i == 100)
                    killer.Execute("CLIENT", "KILL", "TYPE", "replica");
            }

            await SourceServers.Until(
                "it is back", reading, () => sink.Notes.Count(note => note.StartsWith("reconnected")) == cut);
        }

        writer.Execute("SET", "end", "1");
        await SourceServers.Until("the end came", reading, () => sink.Commands.Contains("SET end 1"));
        SourceServers.Digest(other).ShouldBe(SourceServers.Digest(writer));
        stop.Request(StopCause.Interrupt);
        await reading;
        sink.Commands.Count(command => command == "INCR count").ShouldBe(600);
    }

    [Fact]
    public async Task SourceThatForgot_IsNotReadAgain()
    {
        await using var source = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var shards = SourceShards.Open(SourceServers.Options(source.Uri));
        using var sink = new TargetSink(target);
        using var stop = new StopSignal();
        Task reading;
        using (var writer = SourceServers.Open(source))
        {
            writer.Execute("SET", "begin", "1");
            reading = shards.Readers.Single().Run(sink, stop);
            await SourceServers.Until("it has begun", reading, () => sink.Commands.Contains("RESTORE begin"));
            writer.Execute("SET", "k", "1");
            await SourceServers.Until("the stream came", reading, () => sink.Commands.Contains("SET k 1"));
        }

        await source.Kill();
        await source.Restart();
        (await Should.ThrowAsync<TargetLostException>(reading)).Message
            .ShouldMatch(@"cannot go on behind offset \d+, up to which everything was passed on");
    }

    [Fact]
    public async Task Cluster_HasAReaderForEachShard()
    {
        await using var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 1 });
        await using var target = await SourceServers.Start();
        using var other = SourceServers.Open(target);
        var options = SourceServers.Options(cluster.Uri) with { PrefersReplica = true };
        using var shards = SourceShards.Open(options);
        using var sink = new LockedSink(target);
        using var stop = new StopSignal();
        var expected = new HashSet<string>();
        foreach (var server in cluster.Servers.Take(3))
        {
            using var client = cluster.Open(server);
            for (var i = 0; i < 100; i++)
            {
                if (!client.Request("SET", $"k{i}", "v").IsError)
                    expected.Add($"k{i}");
            }
        }

        Task[] readings = [.. shards.Readers.Select(reader => reader.Run(sink, stop))];
        expected.Count.ShouldBe(100);
        await SourceServers.Until(
            "all keys are there", Task.WhenAny(readings.Where(one => one.IsFaulted).DefaultIfEmpty(readings[0])),
            () => Runs.KeyContents.CountIn(other) == 100);
        stop.Request(StopCause.Interrupt);
        await Task.WhenAll(readings);

        shards.Readers.Count.ShouldBe(3);
        // The replicas were read from: that is where other replicas are known.
        using var replica = cluster.Open(cluster.Servers[3]);
        replica.Execute("INFO", "stats").Text.ShouldContain("sync_full:1");
    }

    [Fact]
    public async Task PrimaryThatSentinelsName_IsReadFrom_AlsoWhenItIsAnother()
    {
        await using var processes = await SentinelProcesses.Start(new() { Sentinels = 1 });
        using var shards = SourceShards.Open(SourceServers.Options(processes.Uri()) with
        {
            Connection = Patience.Followed,
        });
        using var sink = new TargetSink(target: null);
        using var stop = new StopSignal();
        var reading = shards.Readers.Single().Run(sink, stop);
        using (var before = processes.OpenServer(processes.Servers[0]))
        {
            before.Execute("SET", "one", "1");
            await SourceServers.Until(
                "it is in the stream", reading, () => sink.Commands.Any(one => one is "RESTORE one" or "SET one 1"));
        }

        await processes.Failover(processes.Sentinels[0]);
        using var after = processes.OpenServer(processes.Servers[1]);
        await Eventually.Is("it is the primary", () => after.Execute("ROLE").Items[0].Text == "master");
        after.Execute("SET", "two", "2");

        await SourceServers.Until("it is read from", reading, () => sink.Commands.Contains("SET two 2"));
        stop.Request(StopCause.Interrupt);
        await reading;
    }

    // What Sentinels publish at the old one, when the new one has left it, is no data, and may be missing; a write is.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ServerThatTookThePlace_IsGoneOnWith_UnlessTheOldOneHasWrittenSince(bool hasWritten)
    {
        await using var old = await SourceServers.Start();
        await using var promoted = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var before = SourceServers.Open(old);
        using var after = SourceServers.Open(promoted);
        using var other = SourceServers.Open(target);
        after.Execute("REPLICAOF", "127.0.0.1", old.Port.ToString(CultureInfo.InvariantCulture));
        await Eventually.Is("it is in step", () => Fact(after, "replication", "master_link_status") == "up");
        var place = RedisEndpoint.Parse(old.Uri);
        var reader = new ReplicaReader("source", () => Volatile.Read(ref place), SourceServers.Options(old.Uri));
        using var sink = new TargetSink(target);
        using var stop = new StopSignal();
        var reading = reader.Run(sink, stop);
        before.Execute("SELECT", "2");
        before.Execute("SET", "begin", "1");
        await SourceServers.Until("it has begun", reading, () => sink.AppliedOffset > 0);
        before.Execute("SET", "one", "1");
        await SourceServers.Until("the first is there", reading, () => sink.Commands.Contains("SET one 1"));
        await Eventually.Is("its replica has it", () => OffsetOf(after) >= OffsetOf(before));

        after.Execute("REPLICAOF", "NO", "ONE");
        var left = long.Parse(Fact(after, "replication", "second_repl_offset"), CultureInfo.InvariantCulture) - 1;
        before.Execute("PUBLISH", "__sentinel__:hello", "127.0.0.1,26379");
        if (hasWritten)
            before.Execute("SET", "lost", "1");
        var sent = OffsetOf(before);
        sent.ShouldBeGreaterThan(left);
        await SourceServers.Until("all of it is read", reading, () => sink.AppliedOffset >= sent);
        Volatile.Write(ref place, RedisEndpoint.Parse(promoted.Uri));
        before.Execute("CLIENT", "KILL", "TYPE", "replica");
        after.Execute("SET", "two", "2");

        if (hasWritten)
        {
            (await Should.ThrowAsync<TargetLostException>(reading)).Message.ShouldContain("cannot go on behind offset");
            return;
        }

        await SourceServers.Until("it is read from", reading, () => sink.Commands.Contains("SET two 2"));
        sink.Notes.ShouldContain($"reconnected: source: goes on behind offset {left} at {place.Address}");
        SourceServers.Digest(other).ShouldBe(SourceServers.Digest(after));
        await SourceServers.Until("it is as far", reading, () => sink.AppliedOffset >= OffsetOf(after));
        stop.Request(StopCause.Interrupt);
        await reading;
    }

    private static long OffsetOf(RedisConnection server) =>
        long.Parse(Fact(server, "replication", "master_repl_offset"), CultureInfo.InvariantCulture);

    // REPLCONF ACK is what a replica sends of these once it is connected.
    private static long Acknowledgements(RedisConnection server) => long.Parse(
        Fact(server, "commandstats", "cmdstat_replconf").Split('=', ',')[1], CultureInfo.InvariantCulture);

    private static string Fact(RedisConnection server, string section, string name) =>
        ServerFacts.FieldsOf(server.Execute("INFO", section).Text)[name];

    private static void Write(RedisConnection writer, string prefix, int count)
    {
        for (var i = 0; i < count; i++)
        {
            writer.Execute("SET", $"{prefix}:{i}", $"{i}");
            writer.Execute("DEL", $"string:{i}");
            writer.Execute("INCR", "counter");
            if (i % 100 == 0)
                writer.Execute("SELECT", i % 200 == 0 ? "3" : "0");
        }

        writer.Execute("SELECT", "0");
    }
}
