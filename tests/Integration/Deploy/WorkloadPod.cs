using System.Text.RegularExpressions;
using k8s.Models;

namespace RedisLatency.Integration.Deploy;

/// <summary>The pods of one workload of a rendered overlay, as the kubelet starts them.</summary>
internal sealed partial class WorkloadPod
{
    private readonly V1PodSpec _pod;
    private readonly V1Container _container;
    private readonly IReadOnlyList<object> _objects;

    public WorkloadPod(string name, V1PodSpec pod, IReadOnlyList<object> objects)
    {
        (Name, _pod, _objects) = (name, pod, objects);
        _container = pod.Containers.ShouldHaveSingleItem();
        Environment = (_container.EnvFrom ?? [])
            .SelectMany(from => objects.OfType<V1ConfigMap>()
                .Where(map => map.Metadata.Name == from.ConfigMapRef.Name).SelectMany(map => map.Data))
            .Concat((_container.Env ?? []).Select(one => KeyValuePair.Create(
                one.Name, one.Value ?? Chosen(one.ValueFrom.ConfigMapKeyRef) ?? "of-the-pod")))
            .GroupBy(one => one.Key).ToDictionary(group => group.Key, group => group.Last().Value);
        Arguments =
        [
            .. _container.Args.Select(word => Variable().Replace(
                word, match => Environment.GetValueOrDefault(match.Groups[1].Value, match.Value))),
        ];
    }

    public string Name { get; }

    /// <summary>What the program is given, variables filled in.</summary>
    public IReadOnlyList<string> Arguments { get; }

    /// <summary>Its environment.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; }

    public static IEnumerable<(string Name, V1PodSpec Pod)> In(object one) => one switch
    {
        V1Deployment it => [(it.Metadata.Name, it.Spec.Template.Spec)],
        V1StatefulSet it => [(it.Metadata.Name, it.Spec.Template.Spec)],
        V1Job it => [(it.Metadata.Name, it.Spec.Template.Spec)],
        _ => [],
    };

    /// <summary>What does not agree, a sentence each.</summary>
    public IEnumerable<string> Problems() =>
        Names().Concat(Pages()).Concat(Ports()).Concat(Folders()).Concat(Rights()).Concat(Resources());

    private IEnumerable<string> Names()
    {
        foreach (var from in _container.EnvFrom ?? [])
        {
            if (!_objects.OfType<V1ConfigMap>().Any(map => map.Metadata.Name == from.ConfigMapRef.Name))
                yield return $"there is no ConfigMap {from.ConfigMapRef.Name}";
        }

        foreach (var key in (_container.Env ?? []).Select(one => one.ValueFrom?.ConfigMapKeyRef)
            .OfType<V1ConfigMapKeySelector>().Where(key => Chosen(key) is null))
        {
            yield return $"there is no {key.Key} in a ConfigMap {key.Name}";
        }

        foreach (var open in Arguments.Where(word => word.Contains("$(", StringComparison.Ordinal)))
            yield return $"{open}: there is no such variable";
        foreach (var set in _objects.OfType<V1StatefulSet>().Where(set => set.Metadata.Name == Name))
        {
            if (!_objects.OfType<V1Service>().Any(service => service.Metadata.Name == set.Spec.ServiceName))
                yield return $"there is no Service {set.Spec.ServiceName}";
        }
    }

    private IEnumerable<string> Pages()
    {
        var probes = new[] { (_container.LivenessProbe, "/healthz"), (_container.ReadinessProbe, "/readyz") };
        if (_pod.RestartPolicy != "Never" && probes.Any(one => one.Item1 is null))
            yield return "a service without probes";
        foreach (var (probe, path) in probes.Where(one => one.Item1 is not null))
        {
            if (probe.HttpGet.Path != path)
                yield return $"{probe.HttpGet.Path} is not {path}";
            if (PortOf(probe.HttpGet.Port.Value) is var port && port != MetricsPort())
                yield return $"{path} is asked for at {port}, and served at {MetricsPort()}";
        }
    }

    private IEnumerable<string> Ports()
    {
        foreach (var port in _container.Ports ?? [])
        {
            var served = port.Protocol == "UDP" ? ProbePort() : MetricsPort();
            if (port.ContainerPort != served)
                yield return $"port {port.ContainerPort} ({port.Name}), where it serves {served}";
            var allowed = _objects.OfType<V1NetworkPolicy>()
                .SelectMany(policy => policy.Spec.Ingress).SelectMany(rule => rule.Ports)
                .Any(rule => rule.Port.Value == $"{port.ContainerPort}" && rule.Protocol == (port.Protocol ?? "TCP"));
            if (!allowed)
                yield return $"no policy lets port {port.ContainerPort} in";
        }

        foreach (var service in _objects.OfType<V1Service>()
            .Where(service => service.Spec.Selector["app.kubernetes.io/component"] == Name))
        {
            foreach (var port in service.Spec.Ports)
            {
                if (PortOf(port.TargetPort?.Value ?? $"{port.Port}") is null)
                    yield return $"Service {service.Metadata.Name} leads to no port";
            }
        }
    }

    // Whatever it reads or writes is mounted.
    private IEnumerable<string> Folders()
    {
        var mounts = _container.VolumeMounts.Select(mount => mount.MountPath).ToArray();
        var paths = Environment.Values.Concat(Arguments.Select(word => word.Split('=')[^1]))
            .Where(value => value.StartsWith('/'));
        foreach (var path in paths.Where(path => !mounts.Any(mount => path == mount || path.StartsWith($"{mount}/"))))
            yield return $"{path} is on no volume";
        foreach (var mount in _container.VolumeMounts.Where(mount =>
            !_pod.Volumes.Any(volume => volume.Name == mount.Name)
            && !_objects.OfType<V1StatefulSet>().Where(set => set.Metadata.Name == Name)
                .Any(set => set.Spec.VolumeClaimTemplates.Any(claim => claim.Metadata.Name == mount.Name))))
        {
            yield return $"there is no volume {mount.Name}";
        }
    }

    // Those of the restricted standard, and a root that is read only.
    private IEnumerable<string> Rights()
    {
        var (pod, container) = (_pod.SecurityContext, _container.SecurityContext);
        if (pod?.RunAsNonRoot != true || pod.RunAsUser != 1654 || pod.SeccompProfile?.Type != "RuntimeDefault"
            || container?.AllowPrivilegeEscalation != false || container.ReadOnlyRootFilesystem != true
            || container.Capabilities?.Drop is not ["ALL"] || _pod.AutomountServiceAccountToken != false)
        {
            yield return "it may more than it needs";
        }
    }

    private IEnumerable<string> Resources()
    {
        var (asked, most) = (_container.Resources?.Requests, _container.Resources?.Limits);
        if (asked is null || most is null || !asked.Keys.Order().SequenceEqual(["cpu", "memory"])
            || asked.Any(one => most[one.Key].ToString() != one.Value.ToString())
            || asked["cpu"].ToDecimal() is var processors && processors != decimal.Truncate(processors))
        {
            yield return "it is not Guaranteed whole processors";
        }

        if (_pod.TerminationGracePeriodSeconds is not >= 60)
            yield return "its grace is shorter than a drain";
    }

    private string? Chosen(V1ConfigMapKeySelector? key) => key is null
        ? null
        : _objects.OfType<V1ConfigMap>().FirstOrDefault(map => map.Metadata.Name == key.Name)?.Data
            .FirstOrDefault(one => one.Key == key.Key).Value;

    private int? PortOf(string nameOrNumber) => int.TryParse(nameOrNumber, out var number)
        ? (_container.Ports ?? []).Any(port => port.ContainerPort == number) ? number : null
        : (_container.Ports ?? []).FirstOrDefault(port => port.Name == nameOrNumber)?.ContainerPort;

    private int MetricsPort() => new Uri(Environment["REDISLATENCY__Telemetry__Metrics"]).Port;

    private int? ProbePort() => Arguments.Where(word => word.StartsWith("--probe=udp", StringComparison.Ordinal))
        .Select(word => (int?)new Uri(word["--probe=".Length..]).Port).FirstOrDefault();

    [GeneratedRegex(@"\$\((\w+)\)")]
    private static partial Regex Variable();
}
