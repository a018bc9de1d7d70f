namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// Offsets among three or more hosts, which must sum to nothing around each loop: a check on all of them, and a
/// detector of asymmetric paths, which no single pair can see ("network effect", Huygens, NSDI 2018, section 3.3).
/// </summary>
public static class LoopClosure
{
    /// <summary>The residual of one loop.</summary>
    /// <param name="offsets">Offsets of pairs; either direction serves.</param>
    /// <param name="hosts">The hosts of the loop in order; the last is joined to the first.</param>
    /// <exception cref="ArgumentException">
    /// There are fewer than three hosts, or no offset between two neighbours.
    /// </exception>
    public static LoopResidual Residual(IReadOnlyList<MeasuredOffset> offsets, IReadOnlyList<int> hosts)
    {
        ArgumentNullException.ThrowIfNull(offsets);
        ArgumentNullException.ThrowIfNull(hosts);
        if (hosts.Count < 3)
            throw new ArgumentException($"A loop has three hosts or more, not {hosts.Count}.", nameof(hosts));
        double residual = 0, bound = 0;
        for (var i = 0; i < hosts.Count; i++)
        {
            var step = Between(offsets, hosts[i], hosts[(i + 1) % hosts.Count]);
            residual += step.OffsetNs;
            bound += step.ErrorNs;
        }

        return new LoopResidual(hosts, residual, bound);
    }

    /// <summary>
    /// The sum of the one-way delays around a loop, from the stamps of different clocks: each clock is read once when a
    /// message arrives and once when one leaves, so that no offset is in it. It needs the clocks' offsets only to
    /// choose messages of one time, and is exact whatever the paths.
    /// </summary>
    /// <param name="hops">
    /// For each hop in order: when it was sent on the sender's clock and when received on the receiver's.
    /// </param>
    public static long CyclicDelayNs(IReadOnlyList<(long SentNs, long ReceivedNs)> hops)
    {
        ArgumentNullException.ThrowIfNull(hops);
        var sum = 0L;
        foreach (var (sentNs, receivedNs) in hops)
            sum += receivedNs - sentNs;
        return sum;
    }

    /// <summary>
    /// One clock reading per host, of which the differences fit all measured offsets best: least squares, each offset
    /// weighing as one over the square of its error. Residuals of loops are spread over their pairs.
    /// </summary>
    /// <param name="hosts">How many hosts there are; host 0 is the reference.</param>
    /// <param name="offsets">At least so many that they join all hosts.</param>
    /// <returns>
    /// Each host's clock minus that of host 0, in nanoseconds: an estimate, without a bound of its own.
    /// </returns>
    /// <exception cref="ArgumentException">Some host is joined to none that leads to host 0.</exception>
    public static double[] Spread(int hosts, IReadOnlyList<MeasuredOffset> offsets)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(hosts, 1);
        ArgumentNullException.ThrowIfNull(offsets);
        var unknowns = hosts - 1;
        var matrix = new double[unknowns, unknowns + 1];
        var narrowest = offsets.Count == 0 ? 1 : Math.Max(1, offsets.Min(offset => offset.ErrorNs));
        foreach (var offset in offsets)
        {
            var share = narrowest / Math.Max(1, offset.ErrorNs);
            Weigh(matrix, offset.From - 1, offset.To - 1, offset.OffsetNs, share * share);
        }

        return [0, .. Solve(matrix, unknowns)];
    }

    private static MeasuredOffset Between(IReadOnlyList<MeasuredOffset> offsets, int from, int to)
    {
        foreach (var offset in offsets)
        {
            if (offset.From == from && offset.To == to)
                return offset;
            if (offset.From == to && offset.To == from)
                return new MeasuredOffset(from, to, -offset.OffsetNs, offset.ErrorNs);
        }

        throw new ArgumentException($"There is no offset between the hosts {from} and {to}.", nameof(offsets));
    }

    private static void Weigh(double[,] matrix, int from, int to, double offset, double weight)
    {
        var right = matrix.GetLength(1) - 1;
        if (from >= 0)
        {
            matrix[from, from] += weight;
            matrix[from, right] -= weight * offset;
        }

        if (to >= 0)
        {
            matrix[to, to] += weight;
            matrix[to, right] += weight * offset;
        }

        if (from < 0 || to < 0)
            return;
        matrix[from, to] -= weight;
        matrix[to, from] -= weight;
    }

    /// <summary>Gaussian elimination: the normal equations of joined hosts are positive definite.</summary>
    private static double[] Solve(double[,] matrix, int unknowns)
    {
        var diagonal = Enumerable.Range(0, unknowns).Select(place => matrix[place, place]).ToArray();
        for (var pivot = 0; pivot < unknowns; pivot++)
        {
            // What remains of a row is nothing but rounding where its host is joined to none of the rest.
            if (matrix[pivot, pivot] <= diagonal[pivot] * 1e-12)
                throw new ArgumentException($"No offsets join host {pivot + 1} to host 0.", nameof(matrix));
            for (var row = pivot + 1; row < unknowns; row++)
            {
                var factor = matrix[row, pivot] / matrix[pivot, pivot];
                for (var column = pivot; column <= unknowns; column++)
                    matrix[row, column] -= factor * matrix[pivot, column];
            }
        }

        var solution = new double[unknowns];
        for (var row = unknowns - 1; row >= 0; row--)
        {
            var sum = matrix[row, unknowns];
            for (var column = row + 1; column < unknowns; column++)
                sum -= matrix[row, column] * solution[column];
            solution[row] = sum / matrix[row, row];
        }

        return solution;
    }
}

/// <summary>What the offsets around a loop of hosts sum to. True offsets sum to nothing.</summary>
/// <param name="Hosts">The hosts in the order of the loop.</param>
/// <param name="ResidualNs">The sum.</param>
/// <param name="BoundNs">The sum of the errors: what true bounds allow the residual to be.</param>
public sealed record LoopResidual(IReadOnlyList<int> Hosts, double ResidualNs, double BoundNs)
{
    /// <summary>Whether the loop is within its bound. If it is not, one of its bounds is false.</summary>
    public bool IsWithinBound => Math.Abs(ResidualNs) <= BoundNs;
}

/// <summary>The offset between two of several hosts, all at one instant, as one pair's probes give it.</summary>
/// <param name="From">Whose clock is subtracted: an index of the hosts.</param>
/// <param name="To">Whose clock it is subtracted from.</param>
/// <param name="OffsetNs">The clock of <paramref name="To"/> minus that of <paramref name="From"/>.</param>
/// <param name="ErrorNs">How far it may be from the truth.</param>
public readonly record struct MeasuredOffset(int From, int To, double OffsetNs, double ErrorNs);
