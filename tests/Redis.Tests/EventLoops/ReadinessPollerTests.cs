using System.Diagnostics;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Tests.EventLoops;

public class ReadinessPollerTests
{
    private const long LongNs = 30_000_000_000;

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public void Wait_ForASocketWithBytes_GivesItsToken(string kind)
    {
        using var poller = Create(kind);
        using var silent = new SocketPair();
        using var speaking = new SocketPair();
        poller.Add(silent.Near, 1, Readiness.Readable);
        poller.Add(speaking.Near, 2, Readiness.Readable);
        speaking.Far.Send([1]);
        Wait(poller, LongNs).ShouldBe([new ReadyEvent(2, Readiness.Readable)]);
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public void Wait_WithNothingReady_LastsItsTime(string kind)
    {
        using var poller = Create(kind);
        using var silent = new SocketPair();
        poller.Add(silent.Near, 1, Readiness.Readable);
        var start = Stopwatch.GetTimestamp();
        var waits = 0;
        for (; Stopwatch.GetElapsedTime(start) < TimeSpan.FromMicroseconds(2500); waits++)
            Wait(poller, 2_500_000).ShouldBeEmpty();
        waits.ShouldBeLessThan(10);
        Wait(poller, 0).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public async Task Wake_FromAnotherThread_EndsAWaitWithoutEnd(string kind)
    {
        using var poller = Create(kind);
        var waiting = Task.Factory.StartNew(
            () => Wait(poller, -1),
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        poller.Wake();
        poller.Wake();
        (await waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken)).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public void Change_AsksForOtherThings_AndRemoveForNone(string kind)
    {
        using var poller = Create(kind);
        using var pair = new SocketPair();
        poller.Add(pair.Near, 7, Readiness.Readable);
        Wait(poller, 0).ShouldBeEmpty();
        poller.Change(pair.Near, 7, Readiness.Readable | Readiness.Writable);
        Wait(poller, LongNs).ShouldBe([new ReadyEvent(7, Readiness.Writable)]);
        pair.Far.Send([1]);
        pair.Near.Poll(TimeSpan.FromSeconds(30), System.Net.Sockets.SelectMode.SelectRead).ShouldBeTrue();
        Wait(poller, LongNs).ShouldBe([new ReadyEvent(7, Readiness.Readable | Readiness.Writable)]);
        poller.Remove(pair.Near);
        Wait(poller, 0).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public void Wait_WithLessRoomThanReadySockets_TellsAllInTurn(string kind)
    {
        const int count = 20;
        using var poller = Create(kind);
        var pairs = Enumerable.Range(0, count).Select(_ => new SocketPair()).ToList();
        for (var index = 0; index < count; index++)
        {
            poller.Add(pairs[index].Near, index, Readiness.Readable);
            pairs[index].Far.Send([1]);
        }

        var told = new HashSet<int>();
        var turns = 0;
        while (told.Count < count && ++turns < 1000)
            told.UnionWith(Wait(poller, LongNs, room: 3).Select(ready => ready.Token));
        told.ShouldBe(Enumerable.Range(0, count), ignoreOrder: true);
        pairs.ForEach(pair => pair.Dispose());
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("select")]
    public void Wait_AfterThePeerClosed_IsReadable(string kind)
    {
        using var poller = Create(kind);
        using var pair = new SocketPair();
        poller.Add(pair.Near, 1, Readiness.Readable);
        pair.Far.Dispose();
        var ready = Wait(poller, LongNs).ShouldHaveSingleItem();
        (ready.Readiness & Readiness.Readable).ShouldBe(Readiness.Readable);
    }

    [Fact]
    public void EdgeTriggered_TellsAChangeOnce()
    {
        using var poller = Create("epoll");
        using var pair = new SocketPair();
        poller.Add(pair.Near, 1, Readiness.Readable | Readiness.EdgeTriggered);
        pair.Far.Send([1]);
        Wait(poller, LongNs).Count.ShouldBe(1);
        Wait(poller, 0).ShouldBeEmpty();
        pair.Far.Send([1]);
        Wait(poller, LongNs).Count.ShouldBe(1);
    }

    [Fact]
    public void Wait_ByEpoll_AllocatesNothing()
    {
        using var poller = Create("epoll");
        using var pair = new SocketPair();
        poller.Add(pair.Near, 1, Readiness.Readable);
        pair.Far.Send([1]);
        Span<ReadyEvent> events = stackalloc ReadyEvent[4];
        poller.Wait(events, LongNs);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var round = 0; round < 1000; round++)
            poller.Wait(events, LongNs);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void Create_NamesWhatItWaitsBy()
    {
        using var poller = ReadinessPoller.Create();
        poller.Name.ShouldBeOneOf(ReadinessPoller.IsPortable ? ["select"] : ["epoll_pwait2", "epoll_wait"]);
    }

    private static ReadinessPoller Create(string kind)
    {
        Assert.SkipWhen(kind == "epoll" && !OperatingSystem.IsLinux(), "epoll is Linux's.");
        return kind == "epoll" ? new EpollPoller() : new SelectPoller();
    }

    private static List<ReadyEvent> Wait(ReadinessPoller poller, long timeoutNs, int room = 16)
    {
        var events = new ReadyEvent[room];
        return [.. events.AsSpan(0, poller.Wait(events, timeoutNs))];
    }
}
