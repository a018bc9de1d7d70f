using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class PendingStampsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("pending-stamps-").FullName;

    private string SpillPath => Path.Combine(_folder, "one-way.pending");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Queue_OfAnyUse_GivesBackEverythingInOrderWhateverTheMemory() =>
        Prop.ForAll(
            ArbMap.Default.ArbFor<short[]>(),
            Gen.Choose(4, 200).ToArbitrary(),
            (steps, memory) =>
            {
                using var pending = new PendingStamps(memory, SpillPath);
                var next = 0L;
                var expected = 0L;
                foreach (var step in steps.Select(step => step % 300))
                {
                    for (var i = 0; i < step; i++)
                        pending.Append(Stamps(next++));
                    for (var i = 0; i < -step && Takes(pending, ref expected); i++)
                    {
                    }

                    pending.Count.ShouldBe(next - expected);
                }

                while (Takes(pending, ref expected))
                {
                }

                expected.ShouldBe(next);
                pending.Lost.ShouldBe(0);
            }).Check(Config.QuickThrowOnFailure.WithMaxTest(200).WithQuietOnSuccess(true));

    [Fact]
    public void Append_BeyondTheMemory_SpillsToAFileThatIsGoneAtTheEnd()
    {
        using (var pending = new PendingStamps(64, SpillPath))
        {
            for (var i = 0; i < 48; i++)
                pending.Append(Stamps(i));
            File.Exists(SpillPath).ShouldBeFalse();
            for (var i = 48; i < 1_000; i++)
                pending.Append(Stamps(i));
            File.Exists(SpillPath).ShouldBeTrue();
            pending.Spilled.ShouldBeGreaterThan(800);
            pending.Count.ShouldBe(1_000);
        }

        File.Exists(SpillPath).ShouldBeFalse();
    }

    [Fact]
    public void Spill_InSteadyState_UsesItsRoomAgainAndAllocatesNothing()
    {
        using var pending = new PendingStamps(64, SpillPath);
        var expected = 0L;
        var next = 0L;
        Pass(pending, 1_000, ref next);
        for (var i = 0; i < 20; i++)
            Cycle(pending, ref next, ref expected);
        var length = new FileInfo(SpillPath).Length;
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 20; i++)
            Cycle(pending, ref next, ref expected);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        new FileInfo(SpillPath).Length.ShouldBe(length);
        pending.Count.ShouldBe(1_000);
        pending.Spilled.ShouldBeGreaterThan(10_000);
    }

    [Fact]
    public void Append_WhereNoFileCanBe_CountsWhatIsLostAndGoesOn()
    {
        using var pending = new PendingStamps(64, Path.Combine(_folder, "missing", "one-way.pending"));
        for (var i = 0; i < 1_000; i++)
            pending.Append(Stamps(i));

        pending.Failure.ShouldNotBeNull().ShouldContain("missing");
        pending.Lost.ShouldBeGreaterThan(0);
        (pending.Count + pending.Lost).ShouldBe(1_000);
        pending.Count.ShouldBeLessThanOrEqualTo(64);

        var left = pending.Count;
        var last = -1L;
        for (; pending.TryPeek(out var stamps); pending.Remove())
        {
            stamps.Sequence.ShouldBeGreaterThan(last);
            last = stamps.Sequence;
            left--;
        }

        left.ShouldBe(0);
        last.ShouldBe(999);
    }

    [Fact]
    public void Append_WithoutAFile_KeepsTheMemorysBound()
    {
        using var pending = new PendingStamps(64, null);
        for (var i = 0; i < 1_000; i++)
            pending.Append(Stamps(i));
        pending.Count.ShouldBeLessThanOrEqualTo(64);
        (pending.Count + pending.Lost).ShouldBe(1_000);
        pending.Failure.ShouldNotBeNull();
    }

    private static void Cycle(PendingStamps pending, ref long next, ref long expected)
    {
        Pass(pending, 700, ref next);
        for (var i = 0; i < 700; i++)
        {
            if (!Takes(pending, ref expected))
                throw new InvalidOperationException("Nothing waits.");
        }
    }

    private static void Pass(PendingStamps pending, int count, ref long next)
    {
        for (var i = 0; i < count; i++)
            pending.Append(Stamps(next++));
    }

    private static bool Takes(PendingStamps pending, ref long expected)
    {
        if (!pending.TryPeek(out var stamps))
            return false;
        if (stamps != Stamps(expected))
            stamps.ShouldBe(Stamps(expected));
        expected++;
        pending.Remove();
        return true;
    }

    private static MessageStamps Stamps(long i) => new(7, 1, i, i + 1, i + 2, i + 3, i + 4, i + 5);
}
