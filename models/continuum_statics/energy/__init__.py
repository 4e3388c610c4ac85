"""Energy of a shape, its gradient and its Hessian; where disks and tips are."""
