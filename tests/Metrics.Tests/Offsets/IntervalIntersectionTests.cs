using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>The test vectors are those of Marzullo's algorithm as it is commonly described.</summary>
public class IntervalIntersectionTests
{
    [Fact]
    public void Find_WhereAllMeet_ReturnsTheirIntersection()
    {
        var (segments, covered) = IntervalIntersection.Find([(8, 12), (11, 13), (10, 12)]);

        segments.ShouldBe([(11L, 12L)]);
        covered.ShouldBe(3);
    }

    [Fact]
    public void Find_WithOneFalseticker_ReturnsWhereTheOthersMeet()
    {
        var (segments, covered) = IntervalIntersection.Find([(8, 12), (11, 13), (14, 15)]);

        segments.ShouldBe([(11L, 12L)]);
        covered.ShouldBe(2);
    }

    [Fact]
    public void Find_OfATie_ReturnsBothSegments()
    {
        var (segments, covered) = IntervalIntersection.Find([(8, 9), (8, 12), (10, 12)]);

        segments.ShouldBe([(8L, 9L), (10L, 12L)]);
        covered.ShouldBe(2);
    }

    [Fact]
    public void Find_OfIntervalsThatTouch_ReturnsThePoint() =>
        IntervalIntersection.Find([(1, 5), (5, 9)]).Segments.ShouldBe([(5L, 5L)]);

    [Fact]
    public void Find_OfNothing_ReturnsNothing() => IntervalIntersection.Find([]).Segments.ShouldBeEmpty();

    [Fact]
    public void Find_OfAReversedInterval_IsRefused() =>
        Should.Throw<ArgumentException>(() => IntervalIntersection.Find([(1, 2), (4, 3)])).Message.ShouldContain("1");

    [Fact]
    public void Find_OfRandomIntervals_CoversAsManyAsAnyPoint()
    {
        var random = new Random(1);
        for (var round = 0; round < 500; round++)
        {
            var intervals = Enumerable.Range(0, random.Next(1, 8)).Select(_ =>
            {
                var low = random.Next(30);
                return ((long)low, (long)low + random.Next(12));
            }).ToList();

            var (segments, covered) = IntervalIntersection.Find(intervals);

            Func<long, int> at = point =>
                intervals.Count(interval => interval.Item1 <= point && point <= interval.Item2);
            covered.ShouldBe(Enumerable.Range(0, 45).Max(point => at(point)));
            segments.ShouldAllBe(segment => at(segment.Low) == covered && at(segment.High) == covered);
        }
    }
}
