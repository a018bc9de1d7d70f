using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Servers;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Servers;

public sealed class ReconnectingPipelineTests : IDisposable
{
    private static readonly RedisProtocolException Wrong = new("not what was asked");

    private readonly SessionEvents _events = new();
    private readonly StopSignal _stop = new();

    public void Dispose() => _stop.Dispose();

    [Fact]
    public async Task TryRestore_OfWhatNeverAnswersRightly_EndsAfterTheLimit()
    {
        await using var server = await RedisServerProcess.Start("redis-server");
        using var pipeline = Open(server, TimeSpan.FromMilliseconds(500));
        var began = MonotonicClock.NowNs();

        Should.Throw<TargetLostException>(() =>
        {
            while (true)
                pipeline.TryRestore(Wrong).ShouldBeTrue();
        }).Message.ShouldBe("destination was lost and gave no right answer since: not what was asked");

        TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - began).ShouldBeGreaterThan(TimeSpan.FromMilliseconds(500));
        _events.CountOf(ReconnectingPipeline.AnsweredWrongly).ShouldBeLessThan(100);
        pipeline.IsInDoubt.ShouldBeTrue();
    }

    [Fact]
    public async Task TryRestore_OfWhatAnswersRightlyInBetween_GoesOn()
    {
        await using var server = await RedisServerProcess.Start("redis-server");
        using var pipeline = Open(server, TimeSpan.Zero);

        for (var i = 0; i < 20; i++)
        {
            pipeline.TryRestore(Wrong).ShouldBeTrue();
            pipeline.Current.Ask("PING");
            pipeline.NoteAnswer(isRefused: false);
        }

        pipeline.IsInDoubt.ShouldBeFalse();
    }

    [Fact]
    public async Task TryRestore_AfterItWasStopped_EndsWhereNothingIsAnsweredRightly()
    {
        await using var server = await RedisServerProcess.Start("redis-server");
        using var pipeline = Open(server, TimeSpan.FromHours(1));
        _stop.Request(StopCause.Terminate);

        pipeline.TryRestore(Wrong).ShouldBeTrue("who is there again has what became of its keys");
        pipeline.TryRestore(Wrong).ShouldBeFalse();
    }

    [Fact]
    public async Task RequireSilence_AfterAnAnswerTooMany_NotesIt()
    {
        await using var server = await RedisServerProcess.Start("redis-server");
        using var twice = AlteredReplies.Of(
            server, text => text.Contains("PONG", StringComparison.Ordinal) ? text + text : text);
        using var pipeline = new ReconnectingPipeline(
            new FixedServer(
                "destination", new(RedisEndpoint.Parse(twice.Uri), Patience.Connection, DriverKind.Raw)),
            TimeSpan.Zero, _events, _stop);

        pipeline.Current.Ask("PING");
        pipeline.RequireSilence();

        _events.CountOf(ReconnectingPipeline.AnsweredWrongly).ShouldBe(1);
    }

    private ReconnectingPipeline Open(RedisServerProcess server, TimeSpan limit) =>
        new(new MovingPlace(server, server), limit, _events, _stop);
}
