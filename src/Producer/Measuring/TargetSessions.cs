using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Targets;

namespace RedisLatency.Producer.Measuring;

/// <summary>Everything that is measured, one after the other: the targets, and this tool's own floor.</summary>
internal sealed class TargetSessions : IDisposable
{
    private readonly ProducerPlan _plan;
    private readonly IReadOnlyList<ResolvedTarget> _targets;
    private readonly List<TargetSession> _all = [];
    private readonly SelfContainedTarget? _selfContained;

    public TargetSessions(ProducerPlan plan, IReadOnlyList<ResolvedTarget> targets, ILogger logger)
    {
        (_plan, _targets) = (plan, targets);
        if (targets.Count == 0 || plan.Options.Floor)
        {
            if (plan.IsServerless)
                ProducerLog.NoServer(logger);
            _selfContained = new SelfContainedTarget(plan, plan.Options.Target.Driver);
            var isFloor = targets.Count > 0;
            Add(isFloor ? "floor" : "in-process", _selfContained.Target, isFloor);
        }

        foreach (var target in targets)
            Add(target.Name, target);
    }

    public IReadOnlyList<TargetSession> All => _all;

    /// <summary>The servers that were given, without this tool's own floor.</summary>
    public IReadOnlyList<TargetSession> Compared => [.. _all.Where(session => !session.IsFloor)];

    public void Dispose()
    {
        _all.ForEach(session => session.Dispose());
        _selfContained?.Dispose();
    }

    private void Add(string name, ResolvedTarget target, bool isFloor = false)
    {
        var isAlone = _targets.Count + (_plan.Options.Floor ? 1 : 0) <= 1;
        var tag = isAlone ? string.Empty : ((char)('a' + _all.Count)).ToString();
        var taken = _all.Exists(session => session.Name == name);
        _all.Add(new TargetSession(taken ? $"{name} again" : name, tag, target, _plan)
        {
            IsFloor = isFloor,
            IsSelfContained = isFloor || _targets.Count == 0,
        });
    }
}
